from evaluation.models.finding import Finding
from evaluation.models.study import Study
from evaluation.models.study_part import StudyPart

__all__ = ["Finding", "Study", "StudyPart"]
