@runtime
Feature: Patches of the state

  @helix.state.pointers @must
  Rule: Paths are JSON pointers

    Scenario: Names with slashes and tildes
      Given a run of this script:
        """
        [{"set":{"key":"from/to","value":"Bergen"}},{"set":{"key":"50~60%","value":1}},{"set":{"key":"~1","value":2}},{"append":{"key":"a/b~c","items":[3]}},{"set":{"key":"地図 \"1\"","value":4}}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"from/to":"Bergen","50~60%":1,"~1":2,"a/b~c":[3],"地図 \"1\"":4}
      And no exchange of this scenario breaks this rule

    Scenario: Members that are set, replaced and deleted
      Given a run of this script:
        """
        [{"set":{"key":"way","value":"sea"}},{"set":{"key":"days","value":4}}]
        [{"set":{"key":"way","value":"rail"}},{"delete":{"key":"days"}}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"way":"rail"}
      And no exchange of this scenario breaks this rule

  @helix.state.operands @must
  Rule: An operation has its operands

    Scenario: Values that look like none
      Given a run of this script:
        """
        [{"set":{"key":"a","value":null}},{"set":{"key":"b","value":false}},{"set":{"key":"c","value":0}},{"set":{"key":"d","value":""}},{"set":{"key":"e","value":[]}},{"set":{"key":"f","value":{}}},{"append":{"key":"g","items":[null,0,""]}}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"a":null,"b":false,"c":0,"d":"","e":[],"f":{},"g":[null,0,""]}
      And no exchange of this scenario breaks this rule

    Scenario: Values that are replaced by none
      Given a run of this script:
        """
        [{"set":{"key":"way","value":"sea"}},{"set":{"key":"days","value":4}}]
        [{"set":{"key":"way","value":null}},{"set":{"key":"days","value":0}}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"way":null,"days":0}
      And no exchange of this scenario breaks this rule

  @helix.state.operations @should
  Rule: Operations are add, remove and replace

    Scenario: Members that are set, replaced, appended to and deleted
      Given a run of this script:
        """
        [{"set":{"key":"way","value":"sea"}},{"append":{"key":"stops","items":["Voss"]}}]
        [{"set":{"key":"way","value":"rail"}},{"append":{"key":"stops","items":["Flåm"]}}]
        [{"delete":{"key":"way"}}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"stops":["Voss","Flåm"]}
      And no exchange of this scenario breaks this rule

    Scenario: One value in two members
      Given a run of this script:
        """
        [{"set":{"key":"from","value":{"town":"Oslo"}}},{"set":{"key":"to","value":{"town":"Oslo"}}}]
        [{"delete":{"key":"from"}},{"set":{"key":"start","value":{"town":"Oslo"}}}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"to":{"town":"Oslo"},"start":{"town":"Oslo"}}
      And no exchange of this scenario breaks this rule

  @helix.state.empty-patch @should-not
  Rule: No news, no patch

    Scenario: Steps with and without changes
      Given a run of this script:
        """
        [{"text":"Let me see."}]
        [{"set":{"key":"way","value":"sea"}}]
        [{"text":"By sea."}]
        """
      When the client attaches
      Then the client receives no chunk with {"type":"state_patch","patches":[]}
      And no exchange of this scenario breaks this rule

    Scenario: Changes that undo each other
      Given a run of this script:
        """
        [{"set":{"key":"way","value":"sea"}}]
        [{"set":{"key":"days","value":4}},{"delete":{"key":"days"}}]
        """
      When the client attaches
      Then the client receives no chunk with {"type":"state_patch","patches":[]}
      And no exchange of this scenario breaks this rule

    Scenario: A run that goes on
      Given a run of this script:
        """
        [{"set":{"key":"way","value":"sea"}}]
        [{"await":"never"}]
        [{"text":"By sea."}]
        """
      And the run is settled
      And the run is interrupted
      And the run is resumed with the mode "continue"
      And the run is settled
      When the client attaches
      Then the client receives no chunk with {"type":"state_patch","patches":[]}
      And no exchange of this scenario breaks this rule

  @helix.state.applicable @must
  Rule: Operations apply

    Scenario: A member comes, goes and comes again
      Given a run of this script:
        """
        [{"set":{"key":"way","value":"sea"}},{"set":{"key":"days","value":4}}]
        [{"set":{"key":"way","value":"rail"}},{"delete":{"key":"days"}}]
        [{"set":{"key":"days","value":2}},{"delete":{"key":"way"}}]
        [{"set":{"key":"way","value":"air"}}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"way":"air","days":2}
      And no exchange of this scenario breaks this rule

    @no-transcript:a-new-list-and-a-failure-are-right
    Scenario Outline: An append to a member that is <value>
      Given a run of this script:
        """
        [{"set":{"key":"stops","value":<value>}},{"append":{"key":"stops","items":["Voss"]}}]
        """
      When the client attaches
      Then the client receives no chunk with {"type":"state_patch","patches":[]}
      And no exchange of this scenario breaks this rule

      Examples:
        | value        |
        | null         |
        | false        |
        | 4            |
        | "Voss"       |
        | {"0":"Voss"} |

    Scenario: A list grows, goes and comes again
      Given a run of this script:
        """
        [{"set":{"key":"stops","value":[]}}]
        [{"append":{"key":"stops","items":["Voss","Flåm"]}}]
        [{"append":{"key":"stops","items":["Bergen"]}}]
        [{"delete":{"key":"stops"}}]
        [{"append":{"key":"stops","items":["Oslo"]}},{"append":{"key":"stops","items":["Hamar"]}}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"stops":["Oslo","Hamar"]}
      And no exchange of this scenario breaks this rule

    Scenario: A list is deleted and made again within a step
      Given a run of this script:
        """
        [{"append":{"key":"stops","items":["Voss"]}},{"set":{"key":"way","value":"rail"}}]
        [{"delete":{"key":"stops"}},{"append":{"key":"stops","items":["Oslo"]}},{"delete":{"key":"way"}},{"set":{"key":"way","value":"sea"}}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"stops":["Oslo"],"way":"sea"}
      And no exchange of this scenario breaks this rule
