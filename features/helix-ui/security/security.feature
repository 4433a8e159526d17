Feature: Security

  @helix-ui.security.isolation @must-not @resume
  Rule: A chat holds nothing of another

    Scenario: Two chats at a time
      Given a request with this script:
        """
        [{"text": "ALPHA. "}, {"await": "a"}, {"text": "ALPHA again."}]
        """
      And the response has the text "ALPHA. " so far
      And a request in another chat, with this script:
        """
        [{"text": "OMEGA. "}, {"await": "b"}, {"text": "OMEGA again."}]
        """
      And the response has the text "OMEGA. " so far
      And the page is refreshed
      When the agent passes "b"
      Then the response has nothing of "ALPHA"

    @history
    Scenario: The history of the second of two chats
      Given a request with this script:
        """
        [{"text": "ALPHA."}]
        """
      And the response has been read
      And a request in another chat, with this script:
        """
        [{"text": "OMEGA."}]
        """
      And the response has been read
      When the history is asked for
      Then the history says [["user", "Plan the trip"], ["assistant", "OMEGA."]]

  @helix-ui.security.owner @must-not @auth
  Rule: A chat is its user's

    @resume
    Scenario: The stream of a chat of another user
      Given a request with this script:
        """
        [{"text": "One. "}, {"await": "b"}, {"text": "Two."}]
        """
      And the response has the text "One. " so far
      When the other user reads the answer
      Then the other user gets nothing of "One. "

    @history
    Scenario: The history of a chat of another user
      Given a request with this script:
        """
        [{"text": "Mine alone."}]
        """
      And the response has been read
      When the other user asks for the history
      Then the other user gets nothing of "Mine alone."

  @helix-ui.security.no-secret-echo @must-not
  Rule: An error keeps the secrets of the request

    Scenario: The error for a body that is no request
      When a request with secrets and the body "{\"text\": 7}"
      Then the refusal holds no secret
