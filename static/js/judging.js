// The judging page: what is done with a pair, one module each.

import "./answer_draft.js";
import "./claim_renewal.js";
import "./every_page.js";
import "./folds.js";
import "./judging_clock.js";
import "./judging_keys.js";
import "./unsaved_grade.js";
