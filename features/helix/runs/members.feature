@runtime
Feature: What all chunks of a run carry

  @helix.runs.step @should
  Rule: Chunks carry the number of their step

    Scenario: Numbers of two steps
      Given a run of this script:
        """
        [{"thinking":"Which way?"},{"text":"By sea. "},{"tool":{"name":"find_route","arguments":{"by":"sea"},"result":1}}]
        [{"text":"That takes "},{"custom":{"eventName":"progress","data":null}},{"text":"four days."}]
        """
      When the client attaches
      Then for the client the text of the steps is ["By sea. ","That takes four days."]

    Scenario: A step that only calls a tool
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"error":"no road"}}]
        [{"text":"By sea."}]
        """
      When the client attaches
      Then for the client the text of the steps is ["","By sea."]

    Scenario: The step after an interrupted one
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail. "},{"await":"stop"}]
        [{"text":"By sea. "}]
        [{"text":"Four days."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then for the client the text of the steps is ["Let me see. ","By rail. By sea. ","Four days."]

    @subagents
    Scenario: A child works in its parent's step
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"subagent":{"type":"scout","script":[[{"text":"By sea, "}],[{"text":"I say."}]]}}]
        [{"text":"By sea."}]
        """
      When the client attaches
      Then for the client the text of the steps is ["Let me see. ","By sea, I say.","By sea."]

  @helix.runs.step-order @should
  Rule: Steps don't go back

    Scenario: Order of three steps
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"tool":{"name":"find_route","arguments":{},"result":1}}]
        [{"thinking":"By sea?"},{"text":"By sea. "},{"set":{"key":"by","value":"sea"}}]
        [{"text":"Four days."}]
        """
      When the client attaches
      Then for the client the step of every chunk never decreases
      And no exchange of this scenario breaks this rule

    Scenario: A run that was interrupted in its second step
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail. "},{"await":"stop"}]
        [{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then for the client the step of every chunk never decreases
      And no exchange of this scenario breaks this rule

  @helix.runs.timestamps @should
  Rule: Timestamps are in milliseconds

    Scenario: A run with a tool
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"tool":{"name":"find_route","arguments":{},"result":1}},{"set":{"key":"by","value":"sea"}}]
        [{"text":"By sea."},{"output":"by sea"}]
        """
      When the client attaches
      Then for the client the timestamp of every chunk is always an integer of milliseconds
      And no exchange of this scenario breaks this rule

    Scenario: Times of a run that is interrupted
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"}]
        [{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then for the client the timestamp of every chunk is always an integer of milliseconds
      And no exchange of this scenario breaks this rule

  @helix.runs.clock @should
  Rule: Time doesn't go back

    Scenario: The clock of two steps
      Given a run of this script:
        """
        [{"thinking":"Which way?"},{"text":"Let me see. "},{"tool":{"name":"find_route","arguments":{},"result":1}}]
        [{"text":"By sea. "},{"set":{"key":"by","value":"sea"}}]
        """
      When the client attaches
      Then for the client the timestamp of every chunk never decreases
      And no exchange of this scenario breaks this rule

    Scenario: The clock of a run that is interrupted
      Given a run of this script:
        """
        [{"text":"Let me see. "},{"await":"stop"}]
        [{"text":"By sea."}]
        """
      And the client attaches
      And the client receives everything so far
      And the run is interrupted
      When the run is resumed with the mode "continue"
      Then for the client the timestamp of every chunk never decreases
      And no exchange of this scenario breaks this rule

  @helix.runs.nulls @should-not
  Rule: What has nothing to say is left out

    Scenario: A tool that works and one that fails
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"result":1}},{"tool":{"name":"find_road","arguments":{},"error":"no road"}}]
        [{"error":{"message":"it broke"}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_end","toolName":"find_route","success":true}
        {"type":"tool_end","toolName":"find_road","error":"no road"}
        {"type":"error"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: An interruption without a reason
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

  @helix.runs.same-session @must
  Rule: The runs of a session are one agent's

    Scenario: A run is interrupted twice
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
      Then for the client the runs share one agentId
      And for the client the text of the agent is "Let me see. By rail? By sea."

    Scenario: An executor crashes and the run recovers
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"await":"go"}]
        """
      And the run is settled
      And the executor of the run crashes
      And the run recovers
      When the client attaches
      Then for the client the runs share one agentId

    @checkpoints
    Scenario: A run is rolled back and goes on
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"await":"go"}]
        """
      And the run is settled
      And the run is rolled back to checkpoint 1
      And the run is resumed with the mode "continue"
      When the client attaches
      Then for the client the runs share one agentId

    Scenario: A run is retried after an interruption
      Given a run of this script:
        """
        [{"text":"Let me see. "}]
        [{"text":"By rail? "},{"await":"go"}]
        """
      And the run is settled
      And the run is interrupted
      And the run is retried
      When the client attaches
      Then for the client the runs share one agentId

    @client-tool
    Scenario: A run waits for the client
      Given a run of this script:
        """
        [{"text":"Where are you? "},{"tool":{"name":"locate","arguments":{},"client":true}},{"text":"In Voss."}]
        """
      And the client attaches
      And the client receives everything so far
      When the result "Voss" of the waiting call is handed in
      Then for the client the runs share one agentId
      And for the client the text of the agent is "Where are you? In Voss."
