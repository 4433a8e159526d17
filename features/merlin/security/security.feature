Feature: Security

  @merlin.security.isolation @must-not
  Rule: A stream holds nothing of another

    @v1
    Scenario: Two streams at a time in version 1
      Given a client requests a V1 stream of:
        """
        the model sends the text "ALPHA. "
        the script waits for "a"
        the model sends the text "ALPHA again."
        """
      And the client has "ALPHA. "
      When a client requests a V1 stream of:
        """
        the model sends the text "OMEGA. "
        the model sends the text "OMEGA again."
        """
      Then the stream holds nothing of "ALPHA"

    @v2
    Scenario: Two streams at a time in version 2
      Given a client requests a V2 stream of:
        """
        the model sends the text "ALPHA. "
        the script waits for "a"
        the model sends the text "ALPHA again."
        """
      And the client has "ALPHA. "
      When a client requests a V2 stream of:
        """
        the model sends the text "OMEGA. "
        the model sends the text "OMEGA again."
        """
      Then the stream holds nothing of "ALPHA"

  @merlin.security.no-secret-echo @must-not
  Rule: An answer keeps the secrets of the request

    @v1
    Scenario: The answer to a body that is no JSON in version 1
      When a client requests a V1 stream with secrets and the body "no JSON"
      Then the answer holds no secret

    @v2
    Scenario: The answer to a body that is no JSON in version 2
      When a client requests a V2 stream with secrets and the body "no JSON"
      Then the answer holds no secret
