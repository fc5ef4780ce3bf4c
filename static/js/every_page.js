// What every page needs. Pages name only such entry scripts: a module that is named by a page and imported by another
// would run twice, since its published name has a digest and the imported one has none.

import "./csrf.js";
import "./local_times.js";
import "./theme.js";
