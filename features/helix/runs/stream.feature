@runtime
Feature: What a run makes of its stream

  @helix.runs.pause-status @should @status
  Rule: A run that waits pauses its stream

    @client-tool
    Scenario: The client has to run a tool
      Given a run of this script:
        """
        [{"text":"Where are you? "},{"await":"go"},{"tool":{"name":"locate","arguments":{},"client":true}},{"text":"In Voss."}]
        """
      And the client attaches
      And the client receives everything so far
      When barrier "go" is released
      Then the client is told that the run has paused its stream

    @client-tool
    Scenario: The client has run a tool
      Given a run of this script:
        """
        [{"text":"Where are you? "},{"await":"go"},{"tool":{"name":"locate","arguments":{},"client":true}},{"text":"In Voss."},{"await":"end"}]
        """
      And the client attaches
      And the client receives everything so far
      And barrier "go" is released
      And the client is told that the run has paused its stream first
      When the result "Voss" of the waiting call is handed in
      Then the client is told that the run has made its stream active

    @client-tool
    Scenario: The client has to run a second tool
      Given a run of this script:
        """
        [{"text":"Where are you? "},{"await":"go"},{"tool":{"name":"locate","arguments":{},"client":true}},{"text":"In Voss. "}]
        [{"text":"And now? "},{"await":"on"},{"tool":{"name":"locate","arguments":{},"client":true}},{"text":"In Bergen."}]
        """
      And the client attaches
      And the client receives everything so far
      And barrier "go" is released
      And the client is told that the run has paused its stream first
      And the result "Voss" of the waiting call is handed in
      And the client receives everything so far
      When barrier "on" is released
      Then the client is told that the run has paused its stream

    @approval
    Scenario: Somebody has to approve of a call
      Given a run of this script:
        """
        [{"text":"May I? "},{"await":"go"},{"tool":{"name":"pay","arguments":{"sum":9},"approval":true,"result":1}},{"text":"Paid."}]
        """
      And the client attaches
      And the client receives everything so far
      When barrier "go" is released
      Then the client is told that the run has paused its stream

    @approval
    Scenario: Somebody has approved of a call
      Given a run of this script:
        """
        [{"text":"May I? "},{"await":"go"},{"tool":{"name":"pay","arguments":{"sum":9},"approval":true,"result":1}},{"text":"Paid."},{"await":"end"}]
        """
      And the client attaches
      And the client receives everything so far
      And barrier "go" is released
      And the client is told that the run has paused its stream first
      When the waiting call is approved
      Then the client is told that the run has made its stream active

  @helix.runs.no-terminal @should-not
  Rule: Stopping and waiting don't finish the stream

    Scenario: An interrupted run
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"await":"stop"}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is interrupted
      Then the stream of the client has not finished after a chunk with {"type":"run_interrupted"}

    Scenario: A run that is interrupted while a tool works
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"result":1,"waits":"route"}}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is interrupted
      Then the stream of the client has not finished after a chunk with {"type":"run_interrupted"}

    @client-tool
    Scenario: A run that waits for the client
      Given a run of this script:
        """
        [{"text":"Where are you? "},{"await":"go"},{"tool":{"name":"locate","arguments":{},"client":true}}]
        """
      And the client attaches
      When barrier "go" is released
      Then the stream of the client has not finished after a chunk with {"type":"tool_start","toolName":"locate"}

    @approval
    Scenario: A run that waits for a decision
      Given a run of this script:
        """
        [{"text":"May I? "},{"await":"go"},{"tool":{"name":"pay","arguments":{"sum":9},"approval":true,"result":1}}]
        """
      And the client attaches
      When barrier "go" is released
      Then the stream of the client has not finished after a chunk with {"type":"tool_approval_request"}

  @helix.runs.outcome @should
  Rule: The stream finishes as the run does

    Scenario: A run that completes
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea."}]
        """
      When the client attaches
      Then the stream of the client finishes with the end frame

    Scenario: A run that goes on after an interruption and completes
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"}]
        [{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then the stream of the client finishes with the end frame

    Scenario: A run that fails
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"error":{"message":"no such key","code":"provider_auth_error"}}]
        """
      When the client attaches
      Then the stream of the client finishes with the fail frame

    Scenario: A run that fails in its second step
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"set":{"key":"by","value":"sea"}}]
        [{"text":"By sea."},{"error":{"message":"it broke"}}]
        """
      When the client attaches
      Then the stream of the client finishes with the fail frame

    Scenario: A run that is aborted
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"error":{"message":"the server shuts down","abort":true}}]
        """
      When the client attaches
      Then the stream of the client finishes with the fail frame
