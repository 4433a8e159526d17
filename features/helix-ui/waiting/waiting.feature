Feature: Calls that wait for the client

  @helix-ui.waiting.requested @must @approval
  Rule: Each call that needs consent is asked for

    Scenario: Two calls that need consent
      When a request with this script:
        """
        [{"tool": {"name": "pay", "arguments": {"eur": 5}, "approval": true, "result": {"paid": 5}}}, {"tool": {"name": "pay", "arguments": {"eur": 7}, "approval": true, "result": {"paid": 7}}}, {"text": "Both are paid."}]
        """
      Then the response asks for the approval of 2 calls

  @helix-ui.waiting.unrun @must-not @approval
  Rule: A call doesn't run without consent

    Scenario: A call before its approval
      When a request with this script:
        """
        [{"text": "Let me pay."}, {"tool": {"name": "pay", "arguments": {"eur": 5}, "approval": true, "result": {"paid": 5}}}, {"text": "It is paid."}]
        """
      Then no call of the response has an output

  @helix-ui.waiting.client-tools @must-not @clientTools
  Rule: A server doesn't run a client's tool

    Scenario: A call of a client tool
      When a request with this script:
        """
        [{"tool": {"name": "locate", "arguments": {"precise": true}, "client": true}}, {"text": "You are in Oslo."}]
        """
      Then no call of the response has an output

  @helix-ui.waiting.finish @must @approval
  Rule: The response is over while a call waits

    Scenario: The end of a response that waits
      When a request with this script:
        """
        [{"tool": {"name": "pay", "arguments": {"eur": 5}, "approval": true, "result": {"paid": 5}}}]
        """
      Then the response asks for the approval of a call, and ends with finish

  @helix-ui.waiting.approved @must @approval
  Rule: An approved call runs

    Scenario: A call that is approved
      Given a request with this script:
        """
        [{"tool": {"name": "pay", "arguments": {"eur": 5}, "approval": true, "result": {"paid": 5}}}, {"text": "It is paid."}]
        """
      And the response has been read
      When the client answers its calls with ["approved"]
      Then the call returns {"paid": 5}

  @helix-ui.waiting.denied @must @approval
  Rule: A denied call doesn't run

    Scenario: One call of two that is denied
      Given a request with this script:
        """
        [{"tool": {"name": "pay", "arguments": {"eur": 5}, "approval": true, "result": {"paid": 5}}}, {"tool": {"name": "pay", "arguments": {"eur": 7}, "approval": true, "result": {"paid": 7}}}, {"text": "One is paid."}]
        """
      And the response has been read
      When the client answers its calls with ["approved", "denied"]
      Then the last call is denied

  @helix-ui.waiting.message @must-not @approval
  Rule: The response to the answers is of the same message

    Scenario: The start of the response to an approval
      Given a request with this script:
        """
        [{"text": "Let me pay."}, {"tool": {"name": "pay", "arguments": {"eur": 5}, "approval": true, "result": {"paid": 5}}}, {"text": "It is paid now."}]
        """
      And the response has been read
      When the client answers its calls with ["approved"]
      Then the response names no other message than the one before

  @helix-ui.waiting.continues @must @approval
  Rule: The run goes on after the answers

    Scenario: A text after a denial
      Given a request with this script:
        """
        [{"tool": {"name": "pay", "arguments": {"eur": 5}, "approval": true, "result": {"paid": 5}}}, {"text": "I didn't pay."}]
        """
      And the response has been read
      When the client answers its calls with ["denied"]
      Then the response has the text "I didn't pay."

  @helix-ui.waiting.brought @must @clientTools @history
  Rule: The history has what the client brought

    Scenario: An output that the client brings
      Given a request with this script:
        """
        [{"tool": {"name": "locate", "arguments": {"precise": true}, "client": true}}, {"text": "You are in Oslo."}]
        """
      And the response has been read
      And the client answers its calls with [{"output": {"city": "Oslo"}}]
      And the response has been read
      When the history is asked for
      Then the history has a call with the output {"city": "Oslo"}
