Feature: Tool results

  @aep.tools.result @must
  Rule: Every outcome is shown

    Scenario: One call and its result
      When a request with this script:
        """
        [{"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}]
        """
      Then the response has 1 tool_result block

    Scenario: A tool that fails and one that doesn't
      When a request with this script:
        """
        [{"tool": {"name": "find_route", "arguments": {}, "error": "no road"}}, {"tool": {"name": "clock", "arguments": {}, "result": "noon"}}]
        """
      Then the response has 2 tool_result blocks

  @aep.tools.summary-only @must-not
  Rule: A result has no place for what came back

    Scenario: A call with a large result
      When a request with this script:
        """
        [{"tool": {"name": "find_customer", "arguments": {"id": 7}, "result": {"name": "Kari", "card": "4711"}, "summary": "one customer"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.tools.payload-hidden @must-not
  Rule: What came back stays on the server

    Scenario: A result that nobody speaks of
      When a request with this script:
        """
        [{"tool": {"name": "find_customer", "arguments": {"id": 7}, "result": ["the customer of the north, who orders by letter, pays late in autumn and early in spring, has moved twice since, and asks to be called in the evening; the customer of the north, who orders by letter, pays late in autumn and early in spring, has moved twice since, and asks to be called in the evening;", "CARD4711"], "summary": "one customer"}}, {"text": "Found."}]
        """
      Then the response holds nothing of "CARD4711" beside a tool_result

    Scenario: A result without a summary
      When a request with this script:
        """
        [{"tool": {"name": "find_customer", "arguments": {"id": 7}, "result": ["the customer of the north, who orders by letter, pays late in autumn and early in spring, has moved twice since, and asks to be called in the evening; the customer of the north, who orders by letter, pays late in autumn and early in spring, has moved twice since, and asks to be called in the evening;", "CARD4711", {"CARD4712": true}]}}, {"text": "Found it."}]
        """
      Then the response holds nothing of "CARD471" beside a tool_result

    Scenario: The second of two results
      When a request with this script:
        """
        [{"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}},
         {"tool": {"name": "find_customer", "arguments": {"id": 7}, "result": ["the customer of the north, who orders by letter, pays late in autumn and early in spring, has moved twice since, and asks to be called in the evening; the customer of the north, who orders by letter, pays late in autumn and early in spring, has moved twice since, and asks to be called in the evening;", "CARD4713"], "summary": "one customer"}}]
        """
      Then the response holds nothing of "CARD471" beside a tool_result

  @aep.tools.result-after-call @must
  Rule: A result follows its call

    Scenario: Two calls with results
      When a request with this script:
        """
        [{"tool": {"name": "find_route", "arguments": {"to": "Bergen", "via": ["Finse", null], "km": 463.5}, "result": {"km": 463}, "summary": "463 km"}}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.tools.result-call-id @should
  Rule: A result names its call

    Scenario: Two calls and their named results
      When a request with this script:
        """
        [{"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}, {"tool": {"name": "find_route", "arguments": {"to": "Bergen", "via": ["Finse", null], "km": 463.5}, "result": {"km": 463}, "summary": "463 km"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule
