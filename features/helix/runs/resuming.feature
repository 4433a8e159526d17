@runtime
Feature: Going on with a run

  @helix.runs.resumed @must
  Rule: Going on is told

    Scenario: An interrupted run goes on
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"}]
        [{"tool":{"name":"find_route","arguments":{},"result":1}},{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then the client receives no chunk with {"type":"tool_start"} before one with {"type":"run_resumed"}

    Scenario: A run goes on a second time
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"a"}]
        [{"text":"By rail? "},{"await":"b"}]
        [{"tool":{"name":"find_route","arguments":{},"result":1}},{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      And the run is resumed with the mode "continue"
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then the client receives, in this order:
        """
        {"type":"run_resumed"}
        {"type":"run_resumed"}
        {"type":"tool_start","toolName":"find_route"}
        """

    Scenario: A page is opened after the run went on
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"}]
        [{"text":"By sea."}]
        """
      And the run is settled
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then a fresh client receives 1 chunk with {"type":"run_resumed"}

    @checkpoints
    Scenario: A run goes on after a rollback
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"await":"stop"}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is rolled back to checkpoint 1
      When the run is resumed with the mode "continue"
      Then the client receives, in this order:
        """
        {"type":"stream_resync"}
        {"type":"run_resumed"}
        {"type":"text_delta"}
        """

    @client-tool
    Scenario: A run goes on when the client has answered
      Given a run of this script:
        """
        [{"text":"Where are you? "},{"tool":{"name":"locate","arguments":{},"client":true}},{"text":"In Voss."}]
        """
      And the result "Voss" of the waiting call is handed in
      When the client attaches
      Then for the client a run_resumed follows every pause

    @approval
    Scenario: A run goes on after two decisions
      Given a run of this script:
        """
        [{"tool":{"name":"pay","arguments":{"sum":9},"approval":true,"result":1}}]
        [{"tool":{"name":"pay","arguments":{"sum":8},"approval":true,"result":1}},{"text":"Paid."}]
        """
      And the waiting call is approved
      And the waiting call is denied
      When the client attaches
      Then for the client a run_resumed follows every pause

    @client-tool @subagents
    Scenario: A run goes on when the client has answered its child
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"tool":{"name":"locate","arguments":{},"client":true}},{"text":"In Voss."}]]}}]
        """
      And the result "Voss" of the waiting call is handed in
      When the client attaches
      Then for the client a run_resumed follows every pause

    @client-tool @no-transcript:the-calls-run-side-by-side
    Scenario: A run goes on when part of its step waited
      Given a run of this script:
        """
        [{"parallel":[[{"tool":{"name":"locate","arguments":{},"client":true}}],[{"tool":{"name":"find_route","arguments":{},"result":1}}]]},{"text":"In Voss."}]
        """
      And the result "Voss" of the waiting call is handed in
      When the client attaches
      Then for the client a run_resumed follows every pause

  @helix.runs.mode @must
  Rule: The mode is the one that was asked for

    Scenario Outline: A run is resumed with the mode "<mode>"
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"}]
        [{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "<mode>"
      Then the client receives, in this order:
        """
        {"type":"run_resumed","mode":"<mode>"}
        """

      Examples:
        | mode             |
        | continue         |
        | with_new_message |
        | Später, bei Tag  |

    Scenario: Two modes one after the other
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"a"}]
        [{"text":"By rail? "},{"await":"b"}]
        [{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      And the run is resumed with the mode "continue"
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "with_new_message"
      Then the client receives, in this order:
        """
        {"type":"run_resumed","mode":"continue"}
        {"type":"run_resumed","mode":"with_new_message"}
        """

  @helix.runs.known-checkpoint @should
  Rule: A run goes on from a checkpoint that readers know

    Scenario: After an interruption
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"await":"stop"}]
        [{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then the client receives, in this order:
        """
        {"type":"checkpoint_created","checkpointId":"$checkpoint"}
        {"type":"run_interrupted"}
        {"type":"run_resumed"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: After an interruption in the first step
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"}]
        [{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then the client receives, in this order:
        """
        {"type":"run_interrupted"}
        {"type":"run_resumed"}
        """
      And no exchange of this scenario breaks this rule

    @checkpoints
    Scenario: A checkpoint that a rollback named
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"await":"stop"}]
        """
      And the run is settled
      And the run is rolled back to checkpoint 1
      And the run is resumed with the mode "continue"
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"stream_resync","reason":"rollback","checkpointId":"$checkpoint"}
        {"type":"run_resumed","fromCheckpointId":"$checkpoint"}
        """
      And no exchange of this scenario breaks this rule

    @checkpoints
    Scenario: From an earlier checkpoint
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"text":"By air? "},{"await":"stop"}]
        """
      And the run is settled
      And the run is interrupted
      And the run is resumed from checkpoint 1
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"checkpoint_created","checkpointId":"$checkpoint"}
        {"type":"run_resumed","fromCheckpointId":"$checkpoint"}
        """
      And no exchange of this scenario breaks this rule

  @helix.runs.from-step @should
  Rule: A run says how many steps still count

    Scenario: After an interruption in the third step
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"text":"By air? "},{"await":"stop"}]
        [{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then the client receives, in this order:
        """
        {"type":"checkpoint_created"}
        {"type":"checkpoint_created"}
        {"type":"run_interrupted"}
        {"type":"run_resumed"}
        """
      And no exchange of this scenario breaks this rule

    @checkpoints
    Scenario: Steps that count after a rollback
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"await":"stop"}]
        """
      And the run is settled
      And the run is rolled back to checkpoint 1
      And the run is resumed with the mode "continue"
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"stream_resync","reason":"rollback","checkpointId":"$checkpoint"}
        {"type":"run_resumed","fromCheckpointId":"$checkpoint"}
        """
      And no exchange of this scenario breaks this rule

    @checkpoints
    Scenario: From an earlier checkpoint than the last
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"text":"By air? "},{"await":"stop"}]
        """
      And the run is settled
      And the run is interrupted
      And the run is resumed from checkpoint 1
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"checkpoint_created","checkpointId":"$checkpoint"}
        {"type":"run_resumed","fromCheckpointId":"$checkpoint"}
        """
      And no exchange of this scenario breaks this rule

  @helix.runs.new-run @should
  Rule: Going on is a new run

    Scenario: A run goes on twice
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"a"}]
        [{"text":"By rail? "},{"await":"b"}]
        [{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      And the run is resumed with the mode "continue"
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then for the client the runId of each run_resumed chunk never repeats
      And no exchange of this scenario breaks this rule

    @client-tool
    Scenario: A run goes on after a pause
      Given a run of this script:
        """
        [{"text":"Where are you? "},{"tool":{"name":"locate","arguments":{},"client":true}},{"text":"In Voss."}]
        """
      And the client attaches
      And the client receives everything so far
      When the result "Voss" of the waiting call is handed in
      Then the client receives, in this order:
        """
        {"type":"run_paused"}
        {"type":"run_resumed"}
        """
      And no exchange of this scenario breaks this rule

  @helix.runs.resume-announced @should
  Rule: After a pause, going on is told first

    @client-tool
    Scenario: The client hands in a result
      Given a run of this script:
        """
        [{"text":"Where are you? "},{"tool":{"name":"locate","arguments":{},"client":true}},{"text":"In Voss."}]
        [{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      When the result "Voss" of the waiting call is handed in
      Then the client receives, in this order:
        """
        {"type":"run_paused"}
        {"type":"run_resumed"}
        {"type":"tool_end","toolName":"locate"}
        {"type":"text_delta"}
        """
      And no exchange of this scenario breaks this rule

    @client-tool
    Scenario: The client hands in two results
      Given a run of this script:
        """
        [{"tool":{"name":"locate","arguments":{},"client":true}},{"text":"In Voss. "}]
        [{"tool":{"name":"locate","arguments":{},"client":true}},{"text":"In Bergen."}]
        """
      And the client attaches
      And the client receives everything so far
      And the result "Voss" of the waiting call is handed in
      And the client receives everything so far
      When the result "Bergen" of the waiting call is handed in
      Then the client receives, in this order:
        """
        {"type":"run_paused"}
        {"type":"run_resumed"}
        {"type":"run_paused"}
        {"type":"run_resumed"}
        """
      And no exchange of this scenario breaks this rule

    @approval
    Scenario: Somebody approves of a call
      Given a run of this script:
        """
        [{"text":"May I? "},{"tool":{"name":"pay","arguments":{"sum":9},"approval":true,"result":1}},{"text":"Paid."}]
        """
      And the client attaches
      And the client receives everything so far
      When the waiting call is approved
      Then the client receives, in this order:
        """
        {"type":"run_paused"}
        {"type":"run_resumed"}
        {"type":"tool_end","toolName":"pay"}
        {"type":"text_delta"}
        """
      And no exchange of this scenario breaks this rule

  @helix.runs.retry-unknown @should-not @checkpoints
  Rule: A retry from nowhere doesn't start over

    Scenario: A retry of an interrupted run
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"await":"stop"}]
        [{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      When a retry from an unknown checkpoint is asked for
      Then the call is refused
      And for the client the text of the agent is "Let me see. By rail? "

    @client-tool
    Scenario: A retry of a run that waits for the client
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"Where are you? "},{"tool":{"name":"locate","arguments":{},"client":true}}]
        """
      And the client attaches
      And the client receives everything so far
      When a retry from an unknown checkpoint is asked for
      Then the call is refused
      And for the client the text of the agent is "Let me see. Where are you? "

    Scenario: A run that was retried before
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"await":"go"},{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      And the client receives everything so far
      And the run is retried
      And the client receives everything so far
      And the run is interrupted
      When a retry from an unknown checkpoint is asked for
      Then the call is refused
      And for the client the text of the agent is "Let me see. "

    Scenario: A run that is retried afterwards
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"await":"go"},{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      And the client receives everything so far
      And a retry from an unknown checkpoint is asked for
      And barrier "go" is released
      When the run is retried
      Then for the client the text of the agent is "Let me see. By sea."
