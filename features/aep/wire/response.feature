Feature: The response as a stream

  @aep.wire.content-type @must
  Rule: A stream is an event stream

    Scenario: The head of an answer
      When a request with this script:
        """
        [{"text": "It is noon here."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.wire.cache-control @must
  Rule: Nobody caches an answer

    Scenario: The cache control of an answer
      When a request with this script:
        """
        [{"text": "It is noon there."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.wire.connection @should
  Rule: The connection is kept

    Scenario: The connection of an answer
      When a request with this script:
        """
        [{"text": "It is noon everywhere."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.wire.live @must
  Rule: Events come when they arise

    Scenario: Metadata while the agent waits
      When a request with this script:
        """
        [{"await": "b"}, {"text": "At last."}]
        """
      Then the response begins with metadata

    Scenario: Each piece while the agent waits
      Given a request with this script:
        """
        [{"text": "One. "}, {"await": "one"}, {"text": "Two. "}, {"await": "two"}, {"text": "Three."}]
        """
      And the response has the text "One. " so far
      When the agent of the request passes "one"
      Then the response has the text "One. Two. " so far

  @aep.wire.heartbeat @should
  Rule: Silence is filled with comments

    Scenario: An agent that says nothing for a while
      When a request with this script:
        """
        [{"await": "never"}]
        """
      Then 3 comments come in the response, one each heartbeat of at most 15 s

  @aep.wire.no-cursor @should
  Rule: There is nothing to resume

    Scenario Outline: A Last-Event-ID of <id>
      When a request with the Last-Event-ID <id>
      Then the response begins with metadata
      And the response ends with done

      Examples:
        | id    |
        | "3"   |
        | "abc" |
