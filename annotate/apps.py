from django.apps import AppConfig


class AnnotateConfig(AppConfig):
    name = "annotate"
    verbose_name = "Judging"

    def ready(self) -> None:
        from annotate import checks  # noqa: F401  (registers the deployment checks)
