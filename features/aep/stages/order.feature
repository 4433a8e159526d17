Feature: The order of stages

  @aep.stages.start-first @must
  Rule: A block begins with its start

    Scenario: Two texts with a tool between
      When a request with this script:
        """
        [{"text": "Let me see."}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}, {"text": "It is noon."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.stages.one-start @must
  Rule: A block starts once

    Scenario: A text, a tool and a text
      When a request with this script:
        """
        [{"text": "One moment."}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}, {"text": "Noon."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.stages.after-stop @must-not
  Rule: A block is over at its stop

    Scenario: A text of many words
      When a request with this script:
        """
        [{"text": "It is far to Bergen, and further to Tromsø."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.stages.same-event @must
  Rule: A block is of one kind

    Scenario: A thought before a text
      When a request with this script:
        """
        [{"thinking": "how far is it?"}, {"text": "It is far."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.stages.index-unique @must
  Rule: Two blocks have two places

    Scenario: Blocks of four kinds
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "One moment."}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.stages.index-from-zero @should
  Rule: Places have no gaps

    Scenario: Six blocks
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "One moment."}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}, {"thinking": "so"}, {"text": "Noon."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.stages.index-order @should
  Rule: Blocks start in their order

    Scenario: Five blocks
      When a request with this script:
        """
        [{"text": "One moment."}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}, {"thinking": "so"}, {"text": "Noon."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.stages.overlap @may
  Rule: Blocks may overlap

    Scenario: Two thoughts and two texts
      When a request with this script:
        """
        [{"thinking": "one"}, {"text": "One."}, {"thinking": "two"}, {"text": "Two."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.stages.delta-order @must
  Rule: Pieces come in their order

    Scenario: A text with a thought of many words
      When a request with this script:
        """
        [{"thinking": "it is far to Bergen and further to Tromsø"}, {"text": "It is far to Bergen, and further to Tromsø."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.stages.delta-from-zero @should
  Rule: Pieces have no gaps

    Scenario: Two texts of many words
      When a request with this script:
        """
        [{"text": "It is far to Bergen, and further to Tromsø."}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}, {"text": "But it is only noon by now."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule
