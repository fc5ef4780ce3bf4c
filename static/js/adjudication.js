// The adjudication page: as the judging page, without claim and clock.

import "./adjudication_keys.js";
import "./answer_draft.js";
import "./every_page.js";
import "./folds.js";
import "./unsaved_grade.js";
