// What every page needs. A page names one entry script, which is published with all that it imports: a module that two
// scripts of a page import would run twice.

import "./csrf.js";
import "./failed_request.js";
import "./local_times.js";
import "./printed_folds.js";
import "./theme.js";
import "./upgrade.js";
