"""What assessors read before they judge, and the words of the grades."""

from rest_framework import serializers


class GradeWordOutput(serializers.Serializer[object]):
    grade = serializers.IntegerField()
    name = serializers.CharField()
    description = serializers.CharField()


class GuidelinesOutput(serializers.Serializer[object]):
    version = serializers.IntegerField()
    text = serializers.CharField(help_text="Markdown")
    grades = GradeWordOutput(source="grade_words", many=True)
