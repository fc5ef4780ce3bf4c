from evaluation.models.finding import Finding

__all__ = ["Finding"]
