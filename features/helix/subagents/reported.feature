@runtime @subagents
Feature: Sub-agents begin and end

  @helix.subagents.reported @must
  Rule: Every sub-agent is reported

    Scenario: A child that speaks
      Given a run of this script:
        """
        [{"text":"I ask."},{"subagent":{"type":"scout","script":[[{"text":"By sea."}]],"result":"by sea"}},{"text":"By sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_start","subAgentType":"scout","subSessionId":"$scout"}
        {"type":"subagent_end","subAgentType":"scout","subSessionId":"$scout"}
        """
      And the client receives 1 chunk with {"type":"subagent_start"}
      And the client receives 1 chunk with {"type":"subagent_end"}

    Scenario: A child that says nothing
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"set":{"key":"seen","value":true}}]]}},{"text":"By sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_start","subAgentType":"scout","subSessionId":"$scout"}
        {"type":"subagent_end","subAgentType":"scout","subSessionId":"$scout"}
        """

    Scenario: A child of a child of a child
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"subagent":{"type":"clerk","script":[[{"subagent":{"type":"copyist","script":[[{"text":"Four days."}]]}}]]}}]]}},{"text":"Done."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_start","subAgentType":"scout","subSessionId":"$scout"}
        {"type":"subagent_start","subAgentType":"clerk","subSessionId":"$clerk"}
        {"type":"subagent_start","subAgentType":"copyist","subSessionId":"$copyist"}
        {"type":"subagent_end","subAgentType":"copyist","subSessionId":"$copyist"}
        {"type":"subagent_end","subAgentType":"clerk","subSessionId":"$clerk"}
        {"type":"subagent_end","subAgentType":"scout","subSessionId":"$scout"}
        """

    Scenario: Three children, one after the other
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"text":"By sea."}]]}},{"subagent":{"type":"clerk","script":[[{"text":"Four days."}]]}}]
        [{"subagent":{"type":"scout","script":[[{"text":"By rail."}]]}},{"text":"Done."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_start","subAgentType":"scout","subSessionId":"$first"}
        {"type":"subagent_end","subAgentType":"scout","subSessionId":"$first"}
        {"type":"subagent_start","subAgentType":"clerk","subSessionId":"$clerk"}
        {"type":"subagent_end","subAgentType":"clerk","subSessionId":"$clerk"}
        {"type":"subagent_start","subAgentType":"scout","subSessionId":"$second"}
        {"type":"subagent_end","subAgentType":"scout","subSessionId":"$second"}
        """

    @no-transcript:the-children-work-side-by-side
    Scenario: Three children side by side
      Given a run of this script:
        """
        [{"parallel":[[{"subagent":{"type":"scout","script":[[{"text":"By sea."}]]}}],[{"subagent":{"type":"clerk","script":[[{"text":"Four days."}]]}}],[{"subagent":{"type":"cook","script":[[{"text":"Fish."}]]}}]]},{"text":"Done."}]
        """
      When the client attaches
      Then the client receives 1 chunk with {"type":"subagent_start","subAgentType":"scout"}
      And the client receives 1 chunk with {"type":"subagent_end","subAgentType":"scout"}
      And the client receives 1 chunk with {"type":"subagent_start","subAgentType":"clerk"}
      And the client receives 1 chunk with {"type":"subagent_end","subAgentType":"clerk"}
      And the client receives 1 chunk with {"type":"subagent_start","subAgentType":"cook"}
      And the client receives 1 chunk with {"type":"subagent_end","subAgentType":"cook"}

    Scenario: A child that fails
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"text":"I look."}]],"error":"no map"}},{"text":"Without a map then."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_start","subAgentType":"scout","subSessionId":"$scout"}
        {"type":"subagent_end","subAgentType":"scout","subSessionId":"$scout"}
        """

  @helix.subagents.parent-id @must
  Rule: Beginning and end come from the parent

    Scenario: A child of the root
      Given a run of this script:
        """
        [{"text":"I ask."},{"subagent":{"type":"scout","script":[[{"text":"By sea."}]]}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"text_delta","agentId":"$root"}
        {"type":"subagent_start","agentId":"$root","agentType":"planner","subAgentType":"scout"}
        {"type":"subagent_end","agentId":"$root","agentType":"planner","subAgentType":"scout"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: A child of a child
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"text":"I ask on."},{"subagent":{"type":"clerk","script":[[{"text":"Four days."}]]}}]]}},{"text":"Done."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_start","subAgentType":"scout","subSessionId":"$scout"}
        {"type":"subagent_start","agentId":"$scout","agentType":"scout","subAgentType":"clerk"}
        {"type":"subagent_end","agentId":"$scout","agentType":"scout","subAgentType":"clerk"}
        """
      And no exchange of this scenario breaks this rule

  @helix.subagents.paired @must
  Rule: An end matches its start

    Scenario: A child that works in two steps
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"text":"I look."}],[{"text":"By sea."}]]}},{"text":"By sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_start","subAgentType":"scout","agentId":"$parent","subSessionId":"$scout","callId":"$call"}
        {"type":"subagent_end","subAgentType":"scout","agentId":"$parent","subSessionId":"$scout","callId":"$call"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: A child that works for a child
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"subagent":{"type":"clerk","script":[[{"text":"Four days."}]]}}]]}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_start","subAgentType":"scout","subSessionId":"$scout","callId":"$call"}
        {"type":"subagent_start","subAgentType":"clerk","agentId":"$scout","subSessionId":"$clerk","callId":"$inner"}
        {"type":"subagent_end","subAgentType":"clerk","agentId":"$scout","subSessionId":"$clerk","callId":"$inner"}
        {"type":"subagent_end","subAgentType":"scout","subSessionId":"$scout","callId":"$call"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: A child that ends while another one works
      Given a run of this script:
        """
        [{"parallel":[[{"subagent":{"type":"scout","script":[[{"text":"By sea."},{"await":"late"}]]}}],[{"await":"early"},{"subagent":{"type":"clerk","script":[[{"text":"Four days."}]]}}]]}]
        """
      And the run is settled
      And barrier "early" is released
      And the run is settled
      And barrier "late" is released
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_start","subAgentType":"clerk","subSessionId":"$clerk","callId":"$call"}
        {"type":"subagent_end","subAgentType":"clerk","subSessionId":"$clerk","callId":"$call"}
        {"type":"subagent_end","subAgentType":"scout"}
        """
      And no exchange of this scenario breaks this rule

  @helix.subagents.ended @must
  Rule: Every sub-agent has ended by the end

    Scenario: Children in two steps
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"text":"By sea."}]]}},{"text":"By sea."}]
        [{"subagent":{"type":"clerk","script":[[{"text":"Four days."}],[{"subagent":{"type":"copyist","script":[[{"text":"4 days."}]]}}]],"result":"four days"}}]
        """
      When the client attaches
      Then the stream of the client finishes with the end frame
      And no exchange of this scenario breaks this rule

    @no-transcript:the-children-work-side-by-side
    Scenario: Two children of one type side by side
      Given a run of this script:
        """
        [{"parallel":[[{"subagent":{"type":"scout","script":[[{"text":"By sea."}]]}}],[{"subagent":{"type":"scout","script":[[{"text":"By rail."}]]}}]]}]
        """
      When the client attaches
      Then the stream of the client finishes with the end frame
      And no exchange of this scenario breaks this rule

  @helix.subagents.unique @must
  Rule: A sub-agent has an id of its own

    Scenario: Two children of one type, one after the other
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"text":"By sea."}]]}}]
        [{"subagent":{"type":"scout","script":[[{"text":"By rail."}]]}}]
        """
      When the client attaches
      Then for the client the subSessionId of each subagent_start chunk never repeats
      And no exchange of this scenario breaks this rule

    Scenario: Two children of one type at work at once
      Given a run of this script:
        """
        [{"parallel":[[{"subagent":{"type":"scout","script":[[{"text":"By sea."},{"await":"late"}]]}}],[{"await":"early"},{"subagent":{"type":"scout","script":[[{"text":"By rail."}]]}}]]}]
        """
      And the run is settled
      And barrier "early" is released
      And the run is settled
      And barrier "late" is released
      When the client attaches
      Then for the client the subSessionId of each subagent_start chunk never repeats
      And no exchange of this scenario breaks this rule

    Scenario: A child of the type of its parent
      Given a run of this script:
        """
        [{"subagent":{"type":"planner","script":[[{"subagent":{"type":"planner","script":[[{"text":"By sea."}]]}}]]}}]
        """
      When the client attaches
      Then for the client the subSessionId of each subagent_start chunk never repeats
      And no exchange of this scenario breaks this rule

  @helix.subagents.step @should
  Rule: A sub-agent begins in the step of its call

    Scenario: A child in the second step that starts a child in its own second
      Given a run of this script:
        """
        [{"text":"First."}]
        [{"subagent":{"type":"scout","script":[[{"text":"I look."}],[{"subagent":{"type":"clerk","script":[[{"text":"Four days."}]]}}]]}}]
        """
      When the client attaches
      Then the client receives 1 chunk with {"type":"subagent_start","subAgentType":"scout"}
      And the client receives 1 chunk with {"type":"subagent_start","subAgentType":"clerk"}
      And no exchange of this scenario breaks this rule

  @helix.subagents.call-id @should
  Rule: The call that starts a sub-agent is its parent's

    Scenario: Tools and children in turn
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"result":1}},{"subagent":{"type":"scout","script":[[{"tool":{"name":"look","arguments":{},"result":2}}]]}},{"tool":{"name":"book","arguments":{},"result":3}}]
        """
      When the client attaches
      Then for the client the callId of each subagent_start chunk never repeats
      And no exchange of this scenario breaks this rule

    Scenario: A child that starts a child
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"text":"I ask on."},{"subagent":{"type":"clerk","script":[[{"text":"Four days."}]]}}]]}}]
        """
      When the client attaches
      Then for the client the callId of each subagent_start chunk never repeats
      And no exchange of this scenario breaks this rule
