Feature: Events have a time

  @aep.events.timestamp @must
  Rule: An event says when

    Scenario: A thought and a text with their times
      When a request with this script:
        """
        [{"thinking": "noon?"}, {"text": "It is noon."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.events.timestamp-offset @should
  Rule: A time says in which zone

    Scenario: Times with their zone
      When a request with this script:
        """
        [{"thinking": "noon?"}, {"text": "It is noon."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.events.clock @should-not
  Rule: Time doesn't go back

    Scenario: Many events in a row
      When a request with this script:
        """
        [{"thinking": "noon?"}, {"text": "It is noon, "}, {"tool": {"name": "clock", "arguments": {"zone": "Oslo"}, "result": "noon"}}, {"text": "or a bit later."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule
