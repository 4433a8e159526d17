@runtime @checkpoints
Feature: Going back to a checkpoint

  @helix.resync.written @must
  Rule: A return to a checkpoint is stored

    Scenario: An executor crashes in the second step
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea. "},{"await":"go"}]
        """
      And the client attaches
      And the client receives everything so far
      And the executor of the run crashes
      When the run recovers
      Then the client receives 1 chunk with {"type":"stream_resync","reason":"crash_recovery"}
      And a fresh client receives 1 chunk with {"type":"stream_resync","reason":"crash_recovery"}

    Scenario: An executor crashes before any step is done
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"go"}]
        """
      And the client attaches
      And the client receives everything so far
      And the executor of the run crashes
      When the run recovers
      Then the client receives 1 chunk with {"type":"stream_resync","reason":"crash_recovery"}

    Scenario: An executor crashes twice
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea. "},{"await":"go"}]
        """
      And the client attaches
      And the client receives everything so far
      And the executor of the run crashes
      And the run recovers
      And the client receives everything so far
      And the executor of the run crashes
      When the run recovers
      Then the client receives 2 chunks with {"type":"stream_resync","reason":"crash_recovery"}

    Scenario: A user goes back
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"await":"stop"}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is rolled back to checkpoint 1
      Then the client receives, in this order:
        """
        {"type":"checkpoint_created","checkpointId":"$checkpoint"}
        {"type":"checkpoint_created"}
        {"type":"stream_resync","reason":"rollback","checkpointId":"$checkpoint"}
        """
      And a fresh client receives 1 chunk with {"type":"stream_resync","reason":"rollback"}

    Scenario: A user tries another way
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"await":"stop"}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is branched from checkpoint 1
      Then the client receives, in this order:
        """
        {"type":"checkpoint_created","checkpointId":"$checkpoint"}
        {"type":"checkpoint_created"}
        {"type":"stream_resync","reason":"branch","checkpointId":"$checkpoint"}
        """
      And a fresh client receives 1 chunk with {"type":"stream_resync","reason":"branch"}

    @resume
    Scenario: A reader comes back later
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"await":"stop"}]
        """
      And the run is settled
      And the run is rolled back to checkpoint 1
      When client "late" resumes after the sequence that the stream_resync of the run names
      Then client "late" receives 1 chunk with {"type":"stream_resync","reason":"rollback"}

  @helix.resync.from-sequence @must
  Rule: A checkpoint lies in the past

    Scenario: The place of a recovery in the second step
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea. "},{"await":"go"}]
        """
      And the run is settled
      And the executor of the run crashes
      And the run recovers
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"stream_resync","reason":"crash_recovery"}
        {"type":"text_delta"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: The place of a recovery in the first step
      Given a run of this script:
        """
        [{"await":"go"},{"text":"By sea. "}]
        """
      And the run is settled
      And the executor of the run crashes
      And the run recovers
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"stream_resync","reason":"crash_recovery"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: The place of a rollback
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"await":"stop"}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is rolled back to checkpoint 1
      Then the client receives 1 chunk with {"type":"stream_resync","reason":"rollback"}
      And no exchange of this scenario breaks this rule

    Scenario: The place of a branch
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"await":"stop"}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is branched from checkpoint 1
      Then the client receives 1 chunk with {"type":"stream_resync","reason":"branch"}
      And no exchange of this scenario breaks this rule

  @helix.resync.covers @must
  Rule: A checkpoint lies behind what it covers

    Scenario Outline: A step with <what> and a recovery
      Given a run of this script:
        """
        [<act>]
        [{"text":"By sea. "},{"await":"go"}]
        """
      And the client attaches
      And the client receives everything so far
      And the executor of the run crashes
      When the run recovers
      Then the client receives, in this order:
        """
        {"type":"checkpoint_created","checkpointId":"$checkpoint"}
        {"type":"stream_resync","reason":"crash_recovery","checkpointId":"$checkpoint"}
        """
      And no exchange of this scenario breaks this rule

      Examples:
        | what    | act                                                              |
        | text    | {"text":"Let me see. "}                                          |
        | a patch | {"set":{"key":"by","value":"sea"}}                               |
        | a call  | {"tool":{"name":"find_route","arguments":{},"result":1}}         |

    Scenario Outline: A second step that is <how>
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"set":{"key":"by","value":"rail"}}]
        [{"await":"stop"}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is <how> checkpoint 2
      Then the client receives, in this order:
        """
        {"type":"state_patch"}
        {"type":"checkpoint_created","checkpointId":"$checkpoint"}
        {"type":"stream_resync","checkpointId":"$checkpoint"}
        """
      And no exchange of this scenario breaks this rule

      Examples:
        | how            |
        | rolled back to |
        | branched from  |

  @helix.resync.counts @must
  Rule: The count is the checkpoint's

    Scenario: Recovered in the third step
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea. "}]
        [{"text":"Four days. "},{"await":"go"}]
        """
      And the run is settled
      And the executor of the run crashes
      And the run recovers
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"checkpoint_created"}
        {"type":"checkpoint_created","checkpointId":"$second"}
        {"type":"stream_resync","checkpointId":"$second"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: Rolled back by two steps
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"text":"By air? "}]
        [{"await":"stop"}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is rolled back to checkpoint 1
      Then the client receives, in this order:
        """
        {"type":"checkpoint_created","checkpointId":"$first"}
        {"type":"checkpoint_created"}
        {"type":"checkpoint_created"}
        {"type":"stream_resync","checkpointId":"$first"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: Rolled back twice
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"text":"By air? "}]
        [{"await":"stop"}]
        """
      And the run is settled
      And the run is rolled back to checkpoint 2
      And the run is rolled back to checkpoint 1
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"checkpoint_created","checkpointId":"$first"}
        {"type":"stream_resync","reason":"rollback"}
        {"type":"stream_resync","reason":"rollback","checkpointId":"$first"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: The count of a branch
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"await":"stop"}]
        """
      And the run is settled
      And the run is branched from checkpoint 1
      When the client attaches
      Then the client receives 1 chunk with {"type":"stream_resync","reason":"branch"}
      And no exchange of this scenario breaks this rule

  @helix.resync.truncates-first @should @truncation
  Rule: What was dropped is removed first

    Scenario: A reader is attached while a user goes back
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"await":"stop"}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is rolled back to checkpoint 1
      Then the client receives, in this order:
        """
        {"type":"truncated"}
        {"type":"stream_resync"}
        """

    Scenario: A reader is attached while an executor is recovered
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea. "},{"await":"go"}]
        """
      And the client attaches
      And the client receives everything so far
      And the executor of the run crashes
      When the run recovers
      Then the client receives, in this order:
        """
        {"type":"truncated"}
        {"type":"stream_resync"}
        """

    Scenario: A reader comes after a user went back
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"tool":{"name":"find_route","arguments":{},"result":1}}]
        [{"text":"Four days. "},{"await":"stop"}]
        """
      And the run is settled
      When the run is rolled back to checkpoint 1
      Then for a fresh client the text of the agent is "Let me see. "
      And a fresh client receives no chunk with {"type":"tool_start"} before one with {"type":"stream_resync"}

    Scenario: A reader comes after an executor was recovered
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"tool":{"name":"find_route","arguments":{},"result":1}},{"text":"By sea. "},{"await":"go"}]
        """
      And the run is settled
      And the executor of the run crashes
      When the run recovers
      Then a fresh client receives no chunk with {"type":"tool_start"} before one with {"type":"stream_resync"}
      And for a fresh client the text of the agent is "Let me see. By sea. "

    Scenario: A reader comes after an executor was recovered in its first step
      Given a run of this script:
        """
        [{"text":"By sea. "},{"await":"go"}]
        """
      And the run is settled
      And the executor of the run crashes
      When the run recovers
      Then for a fresh client the text of the agent is "By sea. "

    Scenario: A reader comes after an executor was recovered twice
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea. "},{"await":"go"}]
        """
      And the run is settled
      And the executor of the run crashes
      And the run recovers
      And the run is settled
      And the executor of the run crashes
      When the run recovers
      Then for a fresh client the text of the agent is "Let me see. By sea. "

  @helix.resync.messages @should @snapshot
  Rule: The messages are as many as it says

    Scenario: The messages after a rollback
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"text":"By air? "}]
        [{"await":"stop"}]
        """
      And the run is settled
      And the run is rolled back to checkpoint 2
      When a snapshot of the stream is asked for
      Then the snapshot holds as many messages as the last stream_resync says

    Scenario: An executor is recovered
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea. "},{"await":"go"}]
        """
      And the run is settled
      And the executor of the run crashes
      And the run recovers
      And the run is settled
      When a snapshot of the stream is asked for
      Then the snapshot holds as many messages as the last stream_resync says

    Scenario: A user goes back twice
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"text":"By air? "}]
        [{"await":"stop"}]
        """
      And the run is settled
      And the run is rolled back to checkpoint 2
      And the run is rolled back to checkpoint 1
      When a snapshot of the stream is asked for
      Then the snapshot holds as many messages as the last stream_resync says
