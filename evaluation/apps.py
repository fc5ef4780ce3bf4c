from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"
    verbose_name = "Evaluation"

    def ready(self) -> None:
        from annotate.work import queue

        queue.register(
            {
                "figure": "evaluation.findings.finding.run_drawing",
                "finding": "evaluation.findings.finding.run_finding",
                "index": "evaluation.findings.run_indexes.run_indexing",
                "influence": "evaluation.findings.influence.run_influence",
                "study": "evaluation.studies.operations.running.run",
            }
        )
