@runtime
Feature: Events of the application

  @helix.custom.unchanged @must
  Rule: Name and data arrive as they were emitted

    Scenario Outline: A tool emits <data>
      Given a run of this script:
        """
        [{"custom":{"eventName":"map.ready","data":<data>}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"custom","eventName":"map.ready","data":<data>}
        """

      Examples:
        | data                                      |
        | {"map":{"km":463,"via":["Voss",null]}}    |
        | "three of nine"                           |
        | "{\\"km\\":463}"                          |
        | [1,[],{}]                                 |
        | 0                                         |
        | false                                     |
        | ""                                        |
        | {}                                        |
        | null                                      |

    Scenario Outline: A tool emits an event called <name>
      Given a run of this script:
        """
        [{"custom":{"eventName":"<name>","data":{"n":1}}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"custom","eventName":"<name>","data":{"n":1}}
        """

      Examples:
        | name       |
        | Map Ready  |
        | text_delta |
        | app:map/1  |
        | 地図       |

    Scenario: A tool emits an event without data
      Given a run of this script:
        """
        [{"custom":{"eventName":"map.ready"}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"custom","eventName":"map.ready","data":null}
        """

    Scenario: The same event twice, with other data
      Given a run of this script:
        """
        [{"custom":{"eventName":"progress","data":{"n":1}}},{"custom":{"eventName":"progress","data":{"n":2}}}]
        [{"custom":{"eventName":"progress","data":{"n":2}}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"custom","eventName":"progress","data":{"n":1}}
        {"type":"custom","eventName":"progress","data":{"n":2}}
        {"type":"custom","eventName":"progress","data":{"n":2}}
        """

  @helix.custom.in-place @must
  Rule: An event keeps its place

    Scenario: Between two tool calls
      Given a run of this script:
        """
        [{"tool":{"name":"find_route","arguments":{},"result":1}},{"custom":{"eventName":"half","data":1}},{"tool":{"name":"book","arguments":{},"result":2}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_end","toolName":"find_route"}
        {"type":"custom","eventName":"half"}
        {"type":"tool_start","toolName":"book"}
        """

    Scenario: Between two sentences
      Given a run of this script:
        """
        [{"text":"Let me see."},{"custom":{"eventName":"half","data":1}},{"custom":{"eventName":"full","data":2}},{"text":" By sea."}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"text_delta"}
        {"type":"custom","eventName":"half"}
        {"type":"custom","eventName":"full"}
        {"type":"text_delta"}
        """

    Scenario: While a tool works
      Given a run of this script:
        """
        [{"parallel":[[{"tool":{"name":"find_route","arguments":{},"result":1,"waits":"found"}}],[{"await":"started"},{"custom":{"eventName":"half","data":1}},{"await":"never"}]]}]
        """
      And the run is settled
      And barrier "started" is released
      And the run is settled
      And barrier "found" is released
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"tool_start","toolName":"find_route"}
        {"type":"custom","eventName":"half"}
        {"type":"tool_end","toolName":"find_route"}
        """

    Scenario: In three steps
      Given a run of this script:
        """
        [{"custom":{"eventName":"one","data":1}},{"tool":{"name":"find_route","arguments":{},"result":1}}]
        [{"tool":{"name":"book","arguments":{},"result":1}},{"custom":{"eventName":"two","data":2}}]
        [{"custom":{"eventName":"three","data":3}},{"tool":{"name":"pay","arguments":{},"result":1}}]
        """
      When the client attaches
      Then the client receives, in this order:
        """
        {"type":"custom","eventName":"one"}
        {"type":"tool_start","toolName":"find_route"}
        {"type":"tool_end","toolName":"book"}
        {"type":"custom","eventName":"two"}
        {"type":"custom","eventName":"three"}
        {"type":"tool_start","toolName":"pay"}
        """
