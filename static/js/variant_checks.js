// The page on which query variants are checked: as the adjudication page, with keys of its own.

import "./variant_keys.js";
import "./answer_draft.js";
import "./every_page.js";
import "./unsaved_grade.js";
