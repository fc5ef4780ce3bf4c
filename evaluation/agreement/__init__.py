"""Agreement between raters. Pure: numpy, and scikit-learn and krippendorff where they are called."""
