// The judging page: what is done with a pair, one module each.

import "./claim_renewal.js";
import "./folds.js";
import "./judging_clock.js";
import "./judging_keys.js";
import "./unsaved_grade.js";
