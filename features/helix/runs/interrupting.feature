@runtime
Feature: Interrupting a run

  @helix.runs.interrupted @must
  Rule: An interruption is told

    Scenario: A run is interrupted while it talks
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"},{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is interrupted
      Then the client receives, in this order:
        """
        {"type":"text_delta"}
        {"type":"run_interrupted"}
        """

    Scenario: A user gives a reason
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"await":"stop"},{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is interrupted because of "not by rail"
      Then the client receives 1 chunk with {"type":"run_interrupted"}

    Scenario: A run is interrupted while a tool works
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"tool":{"name":"find_route","arguments":{},"result":1,"waits":"route"}}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is interrupted
      Then the client receives 1 chunk with {"type":"run_interrupted"}

    Scenario: Two pages look at the run
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"}]
        """
      And client "A" attaches
      And client "B" attaches
      And every client receives everything so far
      When the run is interrupted
      Then every client receives, in this order:
        """
        {"type":"text_delta"}
        {"type":"run_interrupted"}
        """

    Scenario: A page is opened after the interruption
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"}]
        """
      And the run is settled
      When the run is interrupted
      Then a fresh client receives 1 chunk with {"type":"run_interrupted"}

    Scenario: A run is interrupted a second time
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"a"}]
        [{"text":"By rail? "},{"await":"b"}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      And the run is resumed with the mode "continue"
      And the client receives everything so far
      When the run is interrupted
      Then the client receives 2 chunks with {"type":"run_interrupted"}

  @helix.runs.interrupt-checkpoint @must @checkpoints
  Rule: An interruption says where the run can go on

    Scenario: Interrupted in the second step
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"set":{"key":"by","value":"sea"}}]
        [{"text":"By rail? "},{"await":"stop"}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is interrupted
      Then the client receives, in this order:
        """
        {"type":"run_interrupted","checkpointId":"$checkpoint"}
        """

    Scenario: Interrupted in the first step
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"}]
        """
      And the client attaches
      And the client receives everything so far
      When the run is interrupted
      Then the client receives, in this order:
        """
        {"type":"run_interrupted","checkpointId":"$checkpoint"}
        """

    Scenario: A run goes on from where it was interrupted
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"await":"stop"}]
        [{"text":"By sea."}]
        """
      And the run is settled
      And the run is interrupted
      And the run is resumed from the checkpoint that run_interrupted names
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"run_interrupted"}
        {"type":"run_resumed"}
        """

    Scenario: A run goes on from where it was interrupted in its first step
      Given a run of this script:
        """
        [{"text":"By rail? "},{"await":"stop"}]
        [{"text":"By sea."}]
        """
      And the run is settled
      And the run is interrupted
      And the run is resumed from the checkpoint that run_interrupted names
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"run_interrupted"}
        {"type":"run_resumed"}
        """

    Scenario: Interrupted again after it went on
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"await":"a"}]
        [{"text":"By sea. "},{"await":"b"}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      And the run is resumed with the mode "continue"
      And the client receives everything so far
      When the run is interrupted
      Then the client receives, in this order:
        """
        {"type":"run_interrupted","checkpointId":"$first"}
        {"type":"run_resumed"}
        {"type":"run_interrupted","checkpointId":"$second"}
        """

  @helix.runs.silent @must-not
  Rule: An interrupted run is silent

    Scenario: Interrupted while it talks
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"},{"text":"By sea."}]
        [{"text":"Four days."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      And barrier "stop" is released
      When the run is resumed with the mode "continue"
      Then the client receives no chunk with {"type":"text_delta","delta":"By sea."}
      And no exchange of this scenario breaks this rule

    Scenario: Interrupted while a tool works
      Given a run of this script:
        """
        [{"thinking":"Which way?"},{"tool":{"name":"find_route","arguments":{},"result":1,"waits":"route"}},{"text":"By sea."}]
        [{"text":"Four days."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      And barrier "route" is released
      When the run is resumed with the mode "continue"
      Then the client receives no chunk with {"type":"text_delta"} before one with {"type":"run_resumed"}
      And no exchange of this scenario breaks this rule

    Scenario: Interrupted twice
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"a"},{"text":"By rail?"}]
        [{"text":"By air? "},{"await":"b"},{"text":"No."}]
        [{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      And the run is resumed with the mode "continue"
      And the client receives everything so far
      And the run is interrupted
      And barrier "a" is released
      And barrier "b" is released
      When the run is resumed with the mode "continue"
      Then the client receives, in this order:
        """
        {"type":"run_interrupted"}
        {"type":"run_resumed"}
        {"type":"run_interrupted"}
        {"type":"run_resumed"}
        """
      And no exchange of this scenario breaks this rule
