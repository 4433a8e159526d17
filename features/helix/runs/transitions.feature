@runtime
Feature: From one state to the next

  @helix.runs.transitions @should @info
  Rule: What happens to a run shows in the status of its stream

    Scenario: A run that has begun
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"go"}]
        """
      When the run is settled
      Then the stream of the run is active

    @client-tool
    Scenario: A run that waits for its client
      Given a run of this script:
        """
        [{"text":"Where are you? "},{"tool":{"name":"locate","arguments":{},"client":true}}]
        """
      When the run is settled
      Then the stream of the run is paused

    @approval
    Scenario: A run that waits for consent
      Given a run of this script:
        """
        [{"text":"May I? "},{"tool":{"name":"pay","arguments":{"sum":9},"approval":true,"result":1}}]
        """
      When the run is settled
      Then the stream of the run is paused

    @client-tool @subagents
    Scenario: A run whose child waits
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"text":"Where are you? "},{"tool":{"name":"locate","arguments":{},"client":true}}]]}}]
        """
      When the run is settled
      Then the stream of the run is paused

    @client-tool @no-transcript:the-calls-run-side-by-side
    Scenario: A call waits while its sibling works
      Given a run of this script:
        """
        [{"parallel":[[{"tool":{"name":"locate","arguments":{},"client":true}}],[{"tool":{"name":"find_route","arguments":{},"result":1,"waits":"route"}}]]}]
        """
      And the run is settled
      And barrier "route" is released
      And the result "Voss" of the call of "locate" is handed in
      When the client attaches
      Then the stream of the run is ended
      And the client receives 1 chunk with {"type":"tool_end","toolName":"find_route"}
      And the client receives 1 chunk with {"type":"tool_end","toolName":"locate"}

    @client-tool @approval @no-transcript:the-calls-run-side-by-side
    Scenario: A run that waits for two reasons
      Given a run of this script:
        """
        [{"parallel":[[{"tool":{"name":"locate","arguments":{},"client":true}}],[{"tool":{"name":"pay","arguments":{"sum":9},"approval":true,"result":1}}]]}]
        """
      When the run is settled
      Then the stream of the run is paused

    @client-tool @no-transcript:the-calls-run-side-by-side
    Scenario: One of two calls is answered
      Given a run of this script:
        """
        [{"parallel":[[{"tool":{"name":"locate","arguments":{},"client":true}}],[{"tool":{"name":"weigh","arguments":{},"client":true}}]]}]
        """
      When the result "Voss" of the waiting call is handed in
      Then the stream of the run is paused

    @client-tool @approval @no-transcript:the-calls-run-side-by-side
    Scenario: Both of two calls are answered
      Given a run of this script:
        """
        [{"parallel":[[{"tool":{"name":"locate","arguments":{},"client":true}}],[{"tool":{"name":"pay","arguments":{"sum":9},"approval":true,"result":1}}]]},{"await":"end"}]
        """
      And the call of "pay" is approved
      When the result "Voss" of the call of "locate" is handed in
      Then the stream of the run is active

    @client-tool
    Scenario: A waiting run is interrupted
      Given a run of this script:
        """
        [{"text":"Where are you? "},{"tool":{"name":"locate","arguments":{},"client":true}}]
        """
      And the run is settled
      When an interruption of the run is asked for
      Then the stream of the run is paused

    @client-tool
    Scenario: A waiting run is retried
      Given a run of this script:
        """
        [{"text":"Where are you? "},{"tool":{"name":"locate","arguments":{},"client":true}},{"await":"end"}]
        """
      And the run is settled
      And the run is retried
      When the result "Voss" of the waiting call is handed in
      Then the stream of the run is active

    @client-tool
    Scenario: A waiting run crashes
      Given a run of this script:
        """
        [{"text":"Where are you? "},{"tool":{"name":"locate","arguments":{},"client":true}}]
        """
      And the run is settled
      And the executor of the run crashes
      When the run recovers
      Then the stream of the run is paused

    Scenario: A run that is interrupted
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"}]
        """
      And the run is settled
      When the run is interrupted
      Then the stream of the run is paused

    Scenario: An interrupted run that goes on
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"}]
        [{"text":"By sea. "},{"await":"end"}]
        """
      And the run is settled
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then the stream of the run is active

    @checkpoints
    Scenario: An interrupted run that goes on from an earlier checkpoint
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"text":"By air? "},{"await":"stop"}]
        """
      And the run is settled
      And the run is interrupted
      When the run is resumed from checkpoint 1
      Then the stream of the run is active

    Scenario: An interrupted run that is retried
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"}]
        """
      And the run is settled
      And the run is interrupted
      When the run is retried
      Then the stream of the run is active

    @checkpoints
    Scenario: An interrupted run that is not retried
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"}]
        """
      And the run is settled
      And the run is interrupted
      When a retry from an unknown checkpoint is asked for
      Then the stream of the run is paused

    Scenario: A run that crashes
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"go"}]
        """
      And the client attaches
      And the client receives everything so far
      When the executor of the run crashes
      Then the stream of the client has not finished

    Scenario: A run that recovers
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"go"}]
        """
      And the run is settled
      And the executor of the run crashes
      When the run recovers
      Then the stream of the run is active

    @checkpoints
    Scenario: A run that is rolled back
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"await":"stop"}]
        """
      And the run is settled
      And the run is rolled back to checkpoint 1
      When the client attaches
      Then the stream of the client has not finished after a chunk with {"type":"stream_resync"}

    @checkpoints
    Scenario: A run that goes on from where it was rolled back to
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"await":"stop"}]
        """
      And the run is settled
      And the run is rolled back to checkpoint 1
      When the run is resumed with the mode "continue"
      Then the stream of the run is active

    @checkpoints
    Scenario: A run that is branched from
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"await":"stop"}]
        """
      And the run is settled
      And the run is branched from checkpoint 1
      When the client attaches
      Then the stream of the client has not finished after a chunk with {"type":"stream_resync"}

    @checkpoints
    Scenario: A branch that goes on
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"await":"stop"}]
        """
      And the run is settled
      And the run is branched from checkpoint 1
      When the run is resumed with the mode "continue"
      Then the stream of the run is active

    @supersede
    Scenario: A run that another executor takes over
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"go"}]
        """
      And the run is settled
      When another executor takes the run over
      Then the stream of the run is active

    @client-tool
    Scenario: A waiting run is resumed
      Given a run of this script:
        """
        [{"text":"Where are you? "},{"tool":{"name":"locate","arguments":{},"client":true}}]
        """
      And the run is settled
      When the call resume of the run is asked for
      Then the stream of the run is paused

    @client-tool @supersede
    Scenario: A waiting run and another executor
      Given a run of this script:
        """
        [{"text":"Where are you? "},{"tool":{"name":"locate","arguments":{},"client":true}}]
        """
      And the run is settled
      When the call supersede of the run is asked for
      Then the stream of the run is paused

    Scenario: An interrupted run is interrupted
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"}]
        """
      And the run is settled
      And the run is interrupted
      When an interruption of the run is asked for
      Then the stream of the run is paused

    @supersede
    Scenario: An interrupted run and another executor
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"}]
        """
      And the run is settled
      And the run is interrupted
      When the call supersede of the run is asked for
      Then the call is done, or leaves the stream of the run paused

    @supersede
    Scenario: A superseded run is interrupted
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"go"}]
        """
      And the run is settled
      And another executor takes the run over
      And the run is settled
      When an interruption of the run is asked for
      Then the call is done, or leaves the stream of the run active

    Scenario: A running run is retried
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"go"}]
        """
      And the run is settled
      When the call retry of the run is asked for
      Then the stream of the run is active

    @checkpoints
    Scenario Outline: A run that <ended> and the call <call>
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [<act>]
        """
      And the run is settled
      When the call <call> of the run is asked for
      Then the call is done, or leaves the stream of the run <status>

      Examples:
        | ended     | act                              | status | call     |
        | completed | {"text":"By sea."}               | ended  | retry    |
        | completed | {"text":"By sea."}               | ended  | rollback |
        | completed | {"text":"By sea."}               | ended  | branch   |
        | failed    | {"error":{"message":"it broke"}} | failed | retry    |
        | failed    | {"error":{"message":"it broke"}} | failed | rollback |
        | failed    | {"error":{"message":"it broke"}} | failed | branch   |

    Scenario Outline: An interruption after a run has <ended>
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [<act>]
        """
      And the run is settled
      When the call interrupt of the run is asked for
      Then the call is done, or leaves the stream of the run <status>

      Examples:
        | ended     | act                              | status |
        | completed | {"text":"By sea."}               | ended  |
        | failed    | {"error":{"message":"it broke"}} | failed |

    @supersede
    Scenario Outline: A run that <ended> and another executor
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [<act>]
        """
      And the run is settled
      When the call supersede of the run is asked for
      Then the call is done, or leaves the stream of the run <status>

      Examples:
        | ended     | act                              | status |
        | completed | {"text":"By sea."}               | ended  |
        | failed    | {"error":{"message":"it broke"}} | failed |

    Scenario: A run on the stream of a completed run
      Given a run of this script:
        """
        [{"text":"Let me see."}]
        """
      And the run is settled
      When a second run on the stream is asked for
      Then the call is done, or leaves the stream of the run ended

  @helix.runs.refused @must
  Rule: A session has one run at a time, and none after its end

    Scenario: A running run is resumed
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"go"},{"text":"By sea."}]
        """
      And the run is settled
      When a resume of the run is asked for
      Then the call is refused
      And for a fresh client the text of the agent is "Let me see. "

    Scenario: A second run on the stream
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"go"},{"text":"By sea."}]
        """
      And the run is settled
      When a second run on the stream is asked for
      Then the call is refused
      And for a fresh client the text of the agent is "Let me see. "

    Scenario: A completed run is resumed
      Given a run of this script:
        """
        [{"text":"Let me see."}]
        """
      And the run is settled
      When a resume of the run is asked for
      Then the call is refused
      And a fresh client receives no chunk with {"type":"run_resumed"}

    Scenario: A failed run is resumed
      Given a run of this script:
        """
        [{"text":"Let me see."},{"error":{"message":"it broke"}}]
        """
      And the run is settled
      When a resume of the run is asked for
      Then the call is refused
      And a fresh client receives no chunk with {"type":"run_resumed"}

    Scenario: A run is resumed that is running again
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"go"}]
        [{"text":"Once more."},{"await":"go on"}]
        """
      And the run is settled
      And the run is interrupted
      And the run is resumed with the mode "continue"
      And the run is settled
      When a resume of the run is asked for
      Then the call is refused

  @helix.runs.pending @should
  Rule: A run that waits names each call

    @client-tool
    Scenario: A call of the client is pending
      Given a run of this script:
        """
        [{"text":"Where are you? "},{"tool":{"name":"locate","arguments":{},"client":true}}]
        """
      And the run is settled
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolName":"locate","toolCallId":"$call"}
        {"type":"run_paused","pendingToolName":"locate","pendingToolCallId":"$call"}
        """

    @client-tool @no-transcript:the-calls-run-side-by-side
    Scenario: Two calls of the client are pending
      Given a run of this script:
        """
        [{"parallel":[[{"tool":{"name":"locate","arguments":{},"client":true}}],[{"tool":{"name":"weigh","arguments":{},"client":true}}]]}]
        """
      And the run is settled
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"run_paused","pendingToolName":"locate"}
        """
      And the client receives, in this order:
        """
        {"type":"run_paused","pendingToolName":"weigh"}
        """

    @client-tool @approval @no-transcript:the-calls-run-side-by-side
    Scenario: A call of the client and a decision are pending
      Given a run of this script:
        """
        [{"parallel":[[{"tool":{"name":"locate","arguments":{},"client":true}}],[{"tool":{"name":"pay","arguments":{"sum":9},"approval":true,"result":1}}]]}]
        """
      And the run is settled
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"run_paused","pendingToolName":"locate"}
        """
      And the client receives, in this order:
        """
        {"type":"run_paused","pendingToolName":"pay"}
        """
