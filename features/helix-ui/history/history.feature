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

  @helix-ui.history.parts @should
  Rule: The history has what the answer showed

    Scenario: An answer with a file, a source and a chart that was drawn twice
      Given a request with this script:
        """
        [{"part": {"type": "source-url", "sourceId": "s1", "url": "https://example.org/"}}, {"part": {"type": "file", "url": "data:text/plain,hi", "mediaType": "text/plain"}}, {"part": {"type": "data-chart", "id": "c1", "data": {"bars": 1}}}, {"text": "See the chart."}, {"part": {"type": "data-chart", "id": "c1", "data": {"bars": 2}}}, {"part": {"type": "data-notice", "data": "soon over", "transient": true}}]
        """
      And the response has been read
      When the history is asked for
      Then the history has the files, the sources and the data of the response

  @helix-ui.history.ids @should @resume
  Rule: The history keeps the id of an answer

    Scenario: The id of an answer that is over
      Given a request with this script:
        """
        [{"text": "Named and kept."}]
        """
      And the response has been read
      When the history is asked for
      Then the history has the answer under the messageId of its start

  @helix-ui.history.failed @must @failures
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
