from django.apps import AppConfig


class AnnotateConfig(AppConfig):
    name = "annotate"
    verbose_name = "Judging"

    def ready(self) -> None:
        from pathlib import Path

        from django.conf import settings

        from annotate import checks  # noqa: F401  (registers the deployment checks)
        from annotate.llm import endpoints
        from annotate.work import queue

        endpoints.FOLDER = Path(settings.DATA_DIR)
        queue.register(
            {
                "ask": "annotate.suggestions.operations.batches.run",
                "import": "annotate.imports.operations.uploads.run",
                "measure variants": "annotate.texts.operations.run_measures",
                "near-duplicates": "annotate.draws.operations.changes.run",
                "pool": "annotate.pool.operations.pooling.run",
                "probe": "annotate.suggestions.operations.batches.run",
                "refresh": "annotate.pairs.refresh.run",
                "retrain": "annotate.own_judges.operations.requests.run_retraining",
                "retrieve": "annotate.pool.operations.retrieval.run",
                "suggest": "annotate.own_judges.operations.predictions.run_batch",
                "withdraw": "annotate.imports.operations.withdrawals.run",
                "write": "annotate.suggestions.operations.batches.run",
            }
        )
