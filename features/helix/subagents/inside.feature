@runtime @subagents
Feature: What sub-agents do

  @helix.subagents.child-id @must
  Rule: A sub-agent speaks under its own id

    Scenario: A child that speaks and works
      Given a run of this script:
        """
        [{"text":"I ask."},{"subagent":{"type":"scout","script":[[{"text":"I look."},{"custom":{"eventName":"seen","data":1}},{"tool":{"name":"find_route","arguments":{},"result":1}}],[{"text":"By sea."}]]}},{"text":"By sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_start","subSessionId":"$scout"}
        {"type":"text_delta","agentId":"$scout"}
        {"type":"custom","agentId":"$scout","eventName":"seen"}
        {"type":"tool_start","agentId":"$scout","toolName":"find_route"}
        {"type":"tool_end","agentId":"$scout","toolName":"find_route"}
        {"type":"text_delta","agentId":"$scout"}
        {"type":"subagent_end","subSessionId":"$scout"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: A child of a child that speaks
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"text":"I ask on."},{"subagent":{"type":"clerk","script":[[{"text":"Four days."}]]}},{"text":"Four days."}]]}},{"text":"Done."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_start","subAgentType":"scout","subSessionId":"$scout"}
        {"type":"text_delta","agentId":"$scout"}
        {"type":"subagent_start","subAgentType":"clerk","subSessionId":"$clerk"}
        {"type":"text_delta","agentId":"$clerk"}
        {"type":"subagent_end","subSessionId":"$clerk"}
        {"type":"text_delta","agentId":"$scout"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: A child that speaks in a later step
      Given a run of this script:
        """
        [{"text":"Let me see."}]
        [{"subagent":{"type":"scout","script":[[{"thinking":"Sea or rail?"},{"text":"By sea."}]]}},{"text":"By sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_start","subSessionId":"$scout"}
        {"type":"thinking","agentId":"$scout"}
        {"type":"text_delta","agentId":"$scout"}
        """
      And no exchange of this scenario breaks this rule

  @helix.subagents.within @must
  Rule: What a sub-agent does lies between its beginning and its end

    Scenario: A child that speaks last
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"tool":{"name":"find_route","arguments":{},"result":1}},{"text":"By sea, I say."}]]}},{"text":"By sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_start","subSessionId":"$scout"}
        {"type":"tool_end","agentId":"$scout"}
        {"type":"text_delta","agentId":"$scout"}
        {"type":"subagent_end","subSessionId":"$scout"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: A child that writes to its state last
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"text":"By sea."},{"set":{"key":"way","value":"sea"}}],[{"set":{"key":"days","value":4}}]]}},{"text":"By sea."}]
        [{"text":"Done."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_start","subSessionId":"$scout"}
        {"type":"text_delta","agentId":"$scout"}
        {"type":"state_patch","agentId":"$scout"}
        {"type":"subagent_end","subSessionId":"$scout"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: A child, and one of its type or a message to it
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"text":"By sea."}]]}}]
        [{"subagent":{"type":"scout","script":[[{"text":"By rail."}]]}},{"text":"Done."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_start","subSessionId":"$first"}
        {"type":"text_delta","agentId":"$first"}
        {"type":"subagent_end","subSessionId":"$first"}
        {"type":"subagent_start","subSessionId":"$second"}
        {"type":"text_delta","agentId":"$second"}
        {"type":"subagent_end","subSessionId":"$second"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: A child of a child that speaks last
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"subagent":{"type":"clerk","script":[[{"text":"Four days."}]]}},{"text":"Four days it is."}]]}},{"text":"Done."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_start","subSessionId":"$scout"}
        {"type":"subagent_start","subSessionId":"$clerk"}
        {"type":"subagent_end","subSessionId":"$clerk"}
        {"type":"text_delta","agentId":"$scout"}
        {"type":"subagent_end","subSessionId":"$scout"}
        """
      And no exchange of this scenario breaks this rule

  @helix.subagents.agent-type @should
  Rule: A sub-agent has one type

    Scenario: A child that speaks, works and speaks again
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"text":"I look."},{"tool":{"name":"find_route","arguments":{},"result":1}},{"text":"By sea."}]]}},{"text":"By sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"text_delta","agentType":"scout"}
        {"type":"tool_start","agentType":"scout"}
        {"type":"tool_end","agentType":"scout"}
        {"type":"text_delta","agentType":"scout"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: A child that starts a child of another type
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"text":"I ask on."},{"subagent":{"type":"clerk","script":[[{"text":"Four days."}]]}},{"text":"Four days."}]]}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"text_delta","agentType":"scout"}
        {"type":"text_delta","agentType":"clerk"}
        {"type":"text_delta","agentType":"scout"}
        """
      And no exchange of this scenario breaks this rule

  @helix.subagents.child-terminal @must-not
  Rule: A sub-agent doesn't end its parent's stream

    Scenario: A child that puts something out
      Given a run of this script:
        """
        [{"text":"I ask."},{"subagent":{"type":"scout","script":[[{"text":"I look."}],[{"output":{"way":"sea"}}]]}},{"text":"By sea."}]
        [{"text":"Done."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"text_delta","agentId":"$root"}
        {"type":"subagent_end","subAgentType":"scout"}
        {"type":"text_delta","agentId":"$root"}
        {"type":"end"}
        """

    Scenario: A child that fails and a parent that goes on
      Given a run of this script:
        """
        [{"text":"I ask."},{"subagent":{"type":"scout","script":[[{"text":"I look."}]],"error":"no map"}},{"text":"Without a map then."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"text_delta","agentId":"$root"}
        {"type":"subagent_end","subAgentType":"scout"}
        {"type":"text_delta","agentId":"$root"}
        {"type":"end"}
        """

    Scenario: The second child and its child have outputs
      Given a run of this script:
        """
        [{"text":"I ask."},{"subagent":{"type":"scout","script":[[{"output":"sea"}]]}}]
        [{"subagent":{"type":"clerk","script":[[{"subagent":{"type":"copyist","script":[[{"output":4}]]}}],[{"output":"4 days"}]]}},{"text":"Four days."},{"output":"sea, 4 days"}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"text_delta","agentId":"$root"}
        {"type":"subagent_end","subAgentType":"scout"}
        {"type":"subagent_end","subAgentType":"copyist"}
        {"type":"subagent_end","subAgentType":"clerk"}
        {"type":"text_delta","agentId":"$root"}
        {"type":"output","agentId":"$root","output":"sea, 4 days"}
        {"type":"end"}
        """
