@runtime
Feature: What patches add up to

  @helix.state.sum @must
  Rule: Patches add up to the state

    Scenario Outline: A tool sets <value>
      Given a run of this script:
        """
        [{"set":{"key":"way","value":<value>}}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"way":<value>}

      Examples:
        | value                                |
        | "by sea"                             |
        | {"stops":[1,{"days":null}],"km":463} |
        | []                                   |
        | {}                                   |
        | 0                                    |
        | false                                |
        | ""                                   |
        | null                                 |

    Scenario: Members that are replaced and deleted
      Given a run of this script:
        """
        [{"set":{"key":"way","value":"sea"}},{"set":{"key":"days","value":4}},{"set":{"key":"map","value":true}}]
        [{"set":{"key":"way","value":"rail"}},{"delete":{"key":"days"}}]
        [{"set":{"key":"way","value":"air"}},{"delete":{"key":"map"}},{"set":{"key":"seat","value":null}}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"way":"air","seat":null}

    Scenario: Several changes of one member in a step
      Given a run of this script:
        """
        [{"set":{"key":"way","value":"sea"}},{"set":{"key":"way","value":"rail"}},{"delete":{"key":"way"}},{"set":{"key":"way","value":"air"}},{"set":{"key":"days","value":1}},{"delete":{"key":"days"}}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"way":"air"}

    Scenario: A list over several steps
      Given a run of this script:
        """
        [{"append":{"key":"stops","items":["Voss"]}},{"set":{"key":"days","value":1}}]
        [{"append":{"key":"stops","items":["Flåm","Voss"]}},{"append":{"key":"stops","items":[["Myrdal",{"min":5}]]}}]
        [{"text":"Let me see."}]
        [{"append":{"key":"stops","items":["Bergen"]}},{"set":{"key":"days","value":2}}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"stops":["Voss","Flåm","Voss",["Myrdal",{"min":5}],"Bergen"],"days":2}

    Scenario: A list that is deleted and made again
      Given a run of this script:
        """
        [{"append":{"key":"stops","items":["Voss"]}},{"set":{"key":"seats","value":[1,2]}}]
        [{"delete":{"key":"stops"}},{"set":{"key":"seats","value":[]}}]
        [{"append":{"key":"stops","items":["Oslo"]}},{"append":{"key":"seats","items":[3]}}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"stops":["Oslo"],"seats":[3]}

    Scenario: Members whose names have slashes and tildes
      Given a run of this script:
        """
        [{"set":{"key":"from/to","value":"Bergen"}},{"set":{"key":"50~60%","value":1}},{"append":{"key":"~1","items":[2]}},{"set":{"key":"地図","value":4}}]
        [{"set":{"key":"from/to","value":"Oslo"}},{"delete":{"key":"50~60%"}},{"append":{"key":"~1","items":[3]}}]
        """
      When the client attaches
      Then for the client the patches of the agent add up to {"from/to":"Oslo","~1":[2,3],"地図":4}

    Scenario: A reader listens from the start
      Given a run of this script:
        """
        [{"await":"go"},{"set":{"key":"way","value":"sea"}}]
        [{"append":{"key":"stops","items":["Voss"]}}]
        [{"append":{"key":"stops","items":["Flåm"]}},{"set":{"key":"way","value":"rail"}}]
        """
      And the client attaches
      When barrier "go" is released
      Then for the client the patches of the agent add up to {"way":"rail","stops":["Voss","Flåm"]}

    Scenario: Changes of a run that was interrupted and went on
      Given a run of this script:
        """
        [{"set":{"key":"way","value":"sea"}},{"append":{"key":"stops","items":["Voss"]}}]
        [{"await":"never"}]
        [{"append":{"key":"stops","items":["Flåm"]}}]
        """
      And the run is settled
      And the run is interrupted
      And the run is resumed with the mode "continue"
      And the run is settled
      When the client attaches
      Then for the client the patches of the agent add up to {"way":"sea","stops":["Voss","Flåm"]}

  @helix.state.append @should
  Rule: Items are appended one by one

    Scenario: Items for a list that is there
      Given a run of this script:
        """
        [{"set":{"key":"stops","value":["Oslo"]}}]
        [{"append":{"key":"stops","items":["Voss","Flåm"]}}]
        """
      When the client attaches
      Then for the client the list "stops" of the agent grows item by item to ["Oslo","Voss","Flåm"]

    Scenario: Items for a list that isn't there
      Given a run of this script:
        """
        [{"append":{"key":"stops","items":["Voss"]}},{"append":{"key":"stops","items":["Flåm"]}}]
        """
      When the client attaches
      Then for the client the list "stops" of the agent grows item by item to ["Voss","Flåm"]

    Scenario: Items in several steps
      Given a run of this script:
        """
        [{"set":{"key":"stops","value":[]}},{"append":{"key":"stops","items":["Oslo"]}}]
        [{"append":{"key":"stops","items":[["Voss"],"Flåm"]}},{"set":{"key":"days","value":2}}]
        [{"append":{"key":"stops","items":["Bergen"]}}]
        """
      When the client attaches
      Then for the client the list "stops" of the agent grows item by item to ["Oslo",["Voss"],"Flåm","Bergen"]

  @helix.state.parallel-appends @must
  Rule: Appends side by side are all kept

    @no-transcript:the-tools-work-side-by-side
    Scenario: Two tools append to one list
      Given a run of this script:
        """
        [{"parallel":[[{"append":{"key":"stops","items":["a1","a2"]}}],[{"append":{"key":"stops","items":["b1"]}}]]}]
        """
      When the client attaches
      Then for the client the list "stops" of the agent holds all items of [["a1","a2"],["b1"]], each list in its order

    @no-transcript:the-tools-work-side-by-side
    Scenario: Three tools append to a list that has items
      Given a run of this script:
        """
        [{"append":{"key":"stops","items":["o1"]}}]
        [{"parallel":[[{"append":{"key":"stops","items":["a1"]}},{"append":{"key":"stops","items":["a2"]}}],[{"append":{"key":"stops","items":["b1"]}},{"text":"Let me see."},{"append":{"key":"stops","items":["b2"]}}],[{"append":{"key":"stops","items":["c1","c2"]}}]]},{"append":{"key":"stops","items":["z1"]}}]
        """
      When the client attaches
      Then for the client the list "stops" of the agent holds all items of [["o1","a1","a2","z1"],["o1","b1","b2","z1"],["o1","c1","c2","z1"]], each list in its order

    Scenario: A tool appends while another one waits between two appends
      Given a run of this script:
        """
        [{"parallel":[[{"append":{"key":"stops","items":["a1"]}},{"await":"late"},{"append":{"key":"stops","items":["a2"]}}],[{"await":"early"},{"append":{"key":"stops","items":["b1"]}}]]}]
        """
      And the run is settled
      And barrier "early" is released
      And the run is settled
      And barrier "late" is released
      When the client attaches
      Then for the client the list "stops" of the agent holds all items of [["a1","a2"],["b1"]], each list in its order
