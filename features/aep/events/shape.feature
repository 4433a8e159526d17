Feature: What all events have in common

  These rules hold for every event of every response. The scenarios here make an
  agent do something of each kind; the judge also looks at every other response.

  @aep.events.object @must
  Rule: An event says which kind it is

    Scenario: An answer of every kind of block
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "Let me see."}, {"tool": {"name": "find_route", "arguments": {"to": "Bergen"}, "result": {"km": 463}, "summary": "463 km"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.events.members @must
  Rule: A known member has its type

    Scenario: Two texts around a tool
      When a request with this script:
        """
        [{"text": "Let me see."}, {"tool": {"name": "find_route", "arguments": {}, "result": 463}}, {"text": "It is far."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.events.nulls @should-not
  Rule: What there is nothing to say about is left out

    Scenario: A tool without a summary
      When a request with this script:
        """
        [{"tool": {"name": "clock", "arguments": {}, "result": "noon"}}, {"text": "Noon."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.events.integers @must
  Rule: A number can be held by every reader

    Scenario: Four blocks with indexes
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "One."}, {"tool": {"name": "clock", "arguments": {"zone": 1}, "result": "noon"}}, {"text": "Two."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.events.message-id @should
  Rule: Content names its message

    Scenario: A thought, a text and a tool
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "Let me see."}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.events.same-message @should
  Rule: Done belongs to the message that it completes

    Scenario: A text and its done
      When a request with this script:
        """
        [{"text": "It is far."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule
