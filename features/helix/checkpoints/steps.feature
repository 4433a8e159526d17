@runtime @checkpoints
Feature: What becomes of a step

  @helix.checkpoints.committed @must
  Rule: What was saved is told

    Scenario: A step that writes to the state
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"set":{"key":"by","value":"sea"}}]
        """
      When the client attaches
      Then for the client 1 step is committed, each with a checkpoint of its own

    Scenario: Three steps that write to the state
      Given a run of this script:
        """
        [{"set":{"key":"by","value":"rail"}}]
        [{"text":"By sea. "},{"set":{"key":"by","value":"sea"}}]
        [{"append":{"key":"via","items":["Voss"]}}]
        """
      When the client attaches
      Then for the client 3 steps are committed, each with a checkpoint of its own

    Scenario: A step after an interrupted one
      Given a run of this script:
        """
        [{"set":{"key":"by","value":"rail"}}]
        [{"set":{"key":"by","value":"air"}},{"await":"stop"}]
        [{"set":{"key":"by","value":"sea"}}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then for the client 2 steps are committed, each with a checkpoint of its own

    Scenario: A step that is done again after a crash
      Given a run of this script:
        """
        [{"set":{"key":"by","value":"rail"}}]
        [{"set":{"key":"by","value":"sea"}},{"await":"go"}]
        """
      And the client attaches
      And the client receives everything so far
      And the executor of the run crashes
      And the run recovers
      When barrier "go" is released
      Then for the client 2 steps are committed, each with a checkpoint of its own

  @helix.checkpoints.discarded @must
  Rule: What was dropped is told, and gone

    Scenario: An interruption in the first step
      Given a run of this script:
        """
        [{"set":{"key":"by","value":"rail"}},{"await":"stop"}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is interrupted
      Then the client receives 1 chunk with {"type":"step_discarded"}
      And for the client the patches of the agent add up to {}

    Scenario: An interruption in the second step, and a third that goes on
      Given a run of this script:
        """
        [{"set":{"key":"by","value":"sea"}}]
        [{"set":{"key":"by","value":"rail"}},{"append":{"key":"via","items":["Voss"]}},{"await":"stop"}]
        [{"append":{"key":"via","items":["Bergen"]}}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then the client receives 1 chunk with {"type":"step_discarded"}
      And for the client the patches of the agent add up to {"by":"sea","via":["Bergen"]}

    Scenario: Two interruptions
      Given a run of this script:
        """
        [{"set":{"key":"by","value":"rail"}},{"await":"a"}]
        [{"set":{"key":"by","value":"air"}},{"await":"b"}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      And the run is resumed with the mode "continue"
      And the client receives everything so far
      When the run is interrupted
      Then the client receives 2 chunks with {"type":"step_discarded"}
      And for the client the patches of the agent add up to {}

    Scenario: A failure
      Given a run of this script:
        """
        [{"set":{"key":"by","value":"sea"}}]
        [{"set":{"key":"paid","value":true}},{"error":{"message":"the bank is closed","code":"tool_execution_failed"}}]
        """
      When the client attaches
      Then the client receives 1 chunk with {"type":"step_discarded"}
      And for the client the patches of the agent add up to {"by":"sea"}

    @snapshot
    Scenario: A snapshot after an interruption
      Given a run of this script:
        """
        [{"set":{"key":"by","value":"sea"}}]
        [{"set":{"key":"paid","value":true}},{"await":"stop"}]
        """
      And the run is settled
      And the run is interrupted
      When a snapshot of the stream is asked for
      Then the snapshot holds the state {"by":"sea"}

  @helix.checkpoints.interrupted @should
  Rule: An interrupted step is discarded whether it staged something or not

    Scenario: A step that only spoke
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"}]
        [{"text":"By sea. "}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is interrupted
      Then the client receives 1 chunk with {"type":"step_discarded"}

    Scenario: A second step that only spoke, and one in its place
      Given a run of this script:
        """
        [{"set":{"key":"by","value":"sea"}}]
        [{"text":"By rail? "},{"await":"stop"}]
        [{"text":"By sea. "}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then the client receives, in this order:
        """
        {"type":"step_discarded"}
        {"type":"run_resumed"}
        {"type":"text_delta"}
        """

  @helix.checkpoints.once @must
  Rule: A step is committed or discarded once

    Scenario: Three steps
      Given a run of this script:
        """
        [{"set":{"key":"by","value":"rail"}}]
        [{"set":{"key":"by","value":"sea"}}]
        [{"text":"Four days."}]
        """
      When the client attaches
      Then for the client the stepId of each step_committed chunk never repeats
      And no exchange of this scenario breaks this rule

    Scenario: A step that was dropped, and another in its place
      Given a run of this script:
        """
        [{"set":{"key":"by","value":"rail"}},{"await":"stop"}]
        [{"set":{"key":"by","value":"sea"}}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then the client receives, in this order:
        """
        {"type":"step_discarded","stepId":"$dropped"}
        {"type":"step_committed","stepId":"$other"}
        """
      And no exchange of this scenario breaks this rule
