"""Collections: settings, grade scale, guidelines, people, invitations."""
