@runtime @subagents
Feature: What comes of sub-agents

  @helix.subagents.result @must
  Rule: The result is what the sub-agent put out

    Scenario Outline: A child puts out <output>
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"text":"I look."}],[{"output":<output>}]]}},{"text":"Done."}]
        """
      When the client attaches
      Then the client receives 1 chunk with {"type":"subagent_end","result":<output>}
      And no exchange of this scenario breaks this rule

      Examples:
        | output                                  |
        | {"way":"sea","stops":[1,{"days":null}]} |
        | "by sea"                                |
        | "{\\"way\\":\\"sea\\"}"                 |
        | []                                      |
        | 0                                       |
        | false                                   |
        | null                                    |

    Scenario: Two children put out what differs
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"output":{"way":"sea"}}]]}},{"subagent":{"type":"scout","script":[[{"output":{"way":"rail"}}]]}},{"text":"Done."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_end","result":{"way":"sea"}}
        {"type":"subagent_end","result":{"way":"rail"}}
        """
      And no exchange of this scenario breaks this rule

    Scenario: A child puts out what another one ends meanwhile
      Given a run of this script:
        """
        [{"parallel":[[{"subagent":{"type":"scout","script":[[{"await":"late"}],[{"output":"sea"}]]}}],[{"await":"early"},{"subagent":{"type":"clerk","script":[[{"output":4}]]}}]]},{"text":"Done."}]
        """
      And the run is settled
      And barrier "early" is released
      And the run is settled
      And barrier "late" is released
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_end","subAgentType":"clerk","result":4}
        {"type":"subagent_end","subAgentType":"scout","result":"sea"}
        """
      And no exchange of this scenario breaks this rule

  @helix.subagents.failed @should
  Rule: A sub-agent that fails has no result

    Scenario: A child that fails at once
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[],"error":"no map"}},{"text":"Without a map then."}]
        """
      When the client attaches
      Then the client receives 1 chunk with {"type":"subagent_end","subAgentType":"scout","result":null}

    Scenario: A child that fails after it has spoken and worked
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"text":"I look."}],[{"tool":{"name":"find_route","arguments":{},"result":"by sea"}}]],"error":"no map"}},{"text":"Without a map then."}]
        """
      When the client attaches
      Then the client receives 1 chunk with {"type":"subagent_end","subAgentType":"scout","result":null}

    Scenario: A child that takes too long
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"text":"I look."},{"await":"never"}]],"timeoutMs":300}},{"text":"Without it then."}]
        """
      When the client attaches
      Then the client receives 1 chunk with {"type":"subagent_end","subAgentType":"scout","result":null}

    Scenario: A child whose child fails goes on
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"subagent":{"type":"clerk","script":[[{"text":"I count."}]],"error":"no numbers"}}],[{"output":"sea"}]]}},{"text":"By sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"subagent_end","subAgentType":"clerk","result":null}
        {"type":"subagent_end","subAgentType":"scout","result":"sea"}
        """

    Scenario: Two children that fail
      Given a run of this script:
        """
        [{"subagent":{"type":"scout","script":[[{"text":"I look."}]],"error":"no map"}}]
        [{"subagent":{"type":"scout","script":[[{"text":"I look again."}]],"error":"no map at all"}},{"text":"Without a map then."}]
        """
      When the client attaches
      Then the client receives 2 chunks with {"type":"subagent_end","subAgentType":"scout","result":null}
