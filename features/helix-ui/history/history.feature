@history
Feature: The history of a chat

  @helix-ui.history.whole @must
  Rule: The history has both sides

    Scenario: A turn of both sides
      Given a request with this script:
        """
        [{"text": "Let me see. "}, {"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"text": "Sunny."}]
        """
      And the response has been read
      When the history is asked for
      Then the history says [["user", "Plan the trip"], ["assistant", "Let me see. Sunny."]]

  @helix-ui.history.calls @must
  Rule: The history has what the tools did

    Scenario: A call that worked, and one that didn't
      Given a request with this script:
        """
        [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"tool": {"name": "weather", "arguments": {"city": "Atlantis"}, "error": "no such city"}}, {"text": "Sunny in Rome."}]
        """
      And the response has been read
      When the history is asked for
      Then the history has the calls of the response

  @helix-ui.history.failed @must
  Rule: A failure takes nothing from the user

    Scenario: A turn that failed
      Given a request with this script:
        """
        [{"text": "It is"}, {"fail": "no model"}]
        """
      And the response has been read
      When the history is asked for
      Then the history begins with [["user", "Plan the trip"]]

  @helix-ui.history.metadata @should
  Rule: Metadata stays with its message

    Scenario: A message with metadata
      Given a request with the metadata {"source": "web", "tab": 3}, and this script:
        """
        [{"text": "Noted."}]
        """
      And the response has been read
      When the history is asked for
      Then the message of the user has the metadata {"source": "web", "tab": 3}
