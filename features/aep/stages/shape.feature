Feature: Stages

  @aep.stages.stage @must
  Rule: Every part of a block says its stage

    Scenario: Blocks of all kinds
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "Let me see."}, {"tool": {"name": "find_route", "arguments": {"to": "Bergen", "via": ["Finse", null], "km": 463.5}, "result": {"km": 463}, "summary": "463 km"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.stages.block-id @must
  Rule: Every part of a block names it

    Scenario: A text and a thought
      When a request with this script:
        """
        [{"text": "Let me see."}, {"thinking": "hm"}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.stages.block-index @must
  Rule: A start says its place

    Scenario: Three blocks
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "Let me see."}, {"thinking": "so"}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.stages.delta-index @must
  Rule: A delta says its place

    Scenario: A thought and a text of several words
      When a request with this script:
        """
        [{"thinking": "how far can it be?"}, {"text": "It is far to Bergen, even by train."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.stages.final-data @should
  Rule: A stop says the whole

    Scenario: A thought, a text and a tool with a summary
      When a request with this script:
        """
        [{"thinking": "hm"}, {"text": "Let me see."}, {"tool": {"name": "find_route", "arguments": {"to": "Bergen", "via": ["Finse", null], "km": 463.5}, "result": {"km": 463}, "summary": "463 km"}}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.stages.no-delta @may
  Rule: A block may come without pieces

    Scenario: A text of one word
      When a request with this script:
        """
        [{"text": "Noon."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.stages.no-stage @should-not
  Rule: What comes whole has no stage

    Scenario: Metadata and done
      When a request with this script:
        """
        [{"text": "That is it."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule
