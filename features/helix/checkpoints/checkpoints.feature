@runtime @checkpoints
Feature: Checkpoints

  @helix.checkpoints.after-step @must
  Rule: A checkpoint comes after what it covers

    Scenario: A step that ends with a tool
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"tool":{"name":"find_route","arguments":{},"result":1}}]
        """
      When the client attaches
      Then the client receives no chunk with {"type":"checkpoint_created"} before one with {"type":"tool_end"}
      And the client receives 1 chunk with {"type":"checkpoint_created"}

    Scenario: A step that patches the state
      Given a run of this script:
        """
        [{"set":{"key":"by","value":"sea"}}]
        """
      When the client attaches
      Then the client receives no chunk with {"type":"checkpoint_created"} before one with {"type":"state_patch"}

    Scenario: Two steps that patch the state
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"set":{"key":"by","value":"rail"}}]
        [{"text":"By sea. "},{"set":{"key":"by","value":"sea"}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"state_patch"}
        {"type":"checkpoint_created"}
        {"type":"text_delta"}
        {"type":"state_patch"}
        {"type":"checkpoint_created"}
        """

    Scenario: A step that returns
      Given a run of this script:
        """
        [{"output":"by sea"}]
        """
      When the client attaches
      Then the client receives no chunk with {"type":"checkpoint_created"} before one with {"type":"output"}

    Scenario: Two steps that end with a tool
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"tool":{"name":"find_route","arguments":{},"result":1}}]
        [{"text":"By sea. "},{"tool":{"name":"book","arguments":{},"result":2}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_end","toolName":"find_route"}
        {"type":"checkpoint_created"}
        {"type":"tool_start","toolName":"book"}
        {"type":"tool_end","toolName":"book"}
        {"type":"checkpoint_created"}
        """
      And no exchange of this scenario breaks this rule

  @helix.checkpoints.unique @must
  Rule: A checkpoint has an id of its own

    Scenario: Ids of the checkpoints of three steps
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea. "}]
        [{"text":"Four days."}]
        """
      When the client attaches
      Then for the client the checkpointId of each checkpoint_created chunk never repeats
      And no exchange of this scenario breaks this rule

    Scenario: A step is done again in a branch
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"await":"stop"}]
        """
      And the run is settled
      And the run is branched from checkpoint 1
      And the run is resumed with the mode "continue"
      When the client attaches
      Then for the client the checkpointId of each checkpoint_created chunk never repeats
      And no exchange of this scenario breaks this rule

  @helix.checkpoints.increasing @should
  Rule: Each checkpoint holds more steps

    Scenario: Counts of the checkpoints of three steps
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea. "}]
        [{"text":"Four days."}]
        """
      When the client attaches
      Then for the client the stepCount of each checkpoint_created chunk increases
      And no exchange of this scenario breaks this rule

    Scenario: Counts after an interruption
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"await":"stop"}]
        [{"text":"By sea. "}]
        [{"text":"Four days."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then for the client the stepCount of each checkpoint_created chunk increases
      And no exchange of this scenario breaks this rule

    Scenario: Counts after a rollback
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea. "}]
        [{"text":"Four days. "}]
        [{"await":"stop"}]
        """
      And the run is settled
      And the run is rolled back to checkpoint 1
      And the run is resumed with the mode "continue"
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"checkpoint_created"}
        {"type":"stream_resync","reason":"rollback"}
        {"type":"checkpoint_created"}
        """
      And no exchange of this scenario breaks this rule

  @helix.checkpoints.id-form @should
  Rule: Ids of the known form are right

    Scenario: Forms of the ids of two steps
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"checkpoint_created","checkpointId":"$first"}
        {"type":"checkpoint_created","checkpointId":"$second"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: Forms of the ids of a branch
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "}]
        [{"await":"stop"}]
        """
      And the run is settled
      And the run is branched from checkpoint 1
      And the run is resumed with the mode "continue"
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"stream_resync","reason":"branch"}
        {"type":"checkpoint_created","checkpointId":"$next"}
        """
      And no exchange of this scenario breaks this rule

  @helix.checkpoints.place @should
  Rule: A reader keeps nothing that came after the checkpoint

    Scenario: The place of the checkpoint of a rollback
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"set":{"key":"by","value":"rail"}}]
        [{"text":"By air? "},{"await":"stop"}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is rolled back to checkpoint 1
      Then the client receives, in this order:
        """
        {"type":"checkpoint_created","checkpointId":"$checkpoint"}
        {"type":"state_patch"}
        {"type":"stream_resync","checkpointId":"$checkpoint"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: The place of the checkpoint of a branch
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"set":{"key":"by","value":"rail"}}]
        [{"text":"By rail? "},{"await":"stop"}]
        """
      And the run is settled
      And the run is branched from checkpoint 1
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"stream_resync","reason":"branch","checkpointId":"$checkpoint"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: The place of the checkpoint of a recovery
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"await":"stop"}]
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

  @helix.checkpoints.sequence @should @resume
  Rule: A reader goes on from a checkpoint

    Scenario: A reader that kept what it had before a rollback
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea. "}]
        [{"await":"stop"}]
        """
      And the run is settled
      And the run is rolled back to checkpoint 1
      And the run is resumed with the mode "continue"
      When client "late" resumes after the sequence that the stream_resync of the run names
      Then client "late" receives, in this order:
        """
        {"type":"stream_resync","reason":"rollback"}
        {"type":"run_resumed"}
        {"type":"text_delta"}
        """
      And for client "late" the text of the agent is "By sea. "

    Scenario: A reader that kept what it had before a crash
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea. "}]
        [{"await":"go"},{"text":"Four days."}]
        """
      And the run is settled
      And the executor of the run crashes
      And the run recovers
      And barrier "go" is released
      When client "late" resumes after the sequence that the stream_resync of the run names
      Then client "late" receives 1 chunk with {"type":"stream_resync"}
      And for client "late" the text of the agent is "Four days."

    Scenario: A reader that kept what it had before a branch
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By sea. "}]
        [{"await":"stop"}]
        """
      And the run is settled
      And the run is branched from checkpoint 1
      And the run is resumed with the mode "continue"
      When client "late" resumes after the sequence that the stream_resync of the run names
      Then client "late" receives, in this order:
        """
        {"type":"text_delta","agentId":"$before"}
        {"type":"stream_resync","agentId":"$branch"}
        {"type":"text_delta","agentId":"$branch"}
        """
