Feature: Events on the wire

  @aep.wire.json @must
  Rule: The data of an event is one JSON value

    Scenario: A text, a thought and a tool on the wire
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "One moment."}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.wire.single-data-line @should
  Rule: An event stands on one line

    Scenario: A text with line ends
      When a request with this script:
        """
        [{"text": "one\ntwo\r\nthree"}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.wire.named @must
  Rule: An event has a name

    Scenario: Events with names
      When a request with this script:
        """
        [{"thinking": "so"}, {"text": "Noon."}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.wire.same-name @must
  Rule: The name is that of the data

    Scenario: Names of all kinds
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "One moment."}, {"tool": {"name": "find_route", "arguments": {"to": "Bergen", "via": ["Finse", null], "km": 463.5}, "result": {"km": 463}, "summary": "463 km"}}, {"fail": "tool_error"}]
        """
      Then the response ends with error
      And no exchange of this scenario breaks this rule

  @aep.wire.blank-line @must
  Rule: Every event is terminated

    Scenario: The last event of an answer
      When a request with this script:
        """
        [{"text": "The end."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

    Scenario: The last event of a failure
      When a request with this script:
        """
        [{"fail": "agent_error"}]
        """
      Then the response ends with error
      And no exchange of this scenario breaks this rule

  @aep.wire.ids @may
  Rule: Events may have ids

    Scenario: Events of a text
      When a request with this script:
        """
        [{"text": "It is noon by my clock."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.wire.utf8 @must
  Rule: The body is UTF-8

    Scenario: A text in many scripts
      When a request with this script:
        """
        [{"text": "blåbær, 日本語, שלום, 😀"}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.wire.no-bom @should-not
  Rule: The body begins with its first event

    Scenario: The first bytes of an answer
      When a request with this script:
        """
        [{"text": "First."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule
