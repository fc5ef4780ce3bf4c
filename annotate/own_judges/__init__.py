"""Lacuna's learned and calibrated judges: training sets, versions, predictions, retraining."""
