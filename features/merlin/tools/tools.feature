Feature: Tools

  @merlin.tools.assembled @must @aggregate
  Rule: Pieces are put together

    @v1
    Scenario: A call in three pieces in version 1
      When a client requests a V1 stream of:
        """
        [{"delta": {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "find", "arguments": "{\"to\":"}}]}},
         {"delta": {"tool_calls": [{"index": 0, "function": {"arguments": " \"Ber"}}]}},
         {"delta": {"tool_calls": [{"index": 0, "function": {"arguments": "gen\"}"}}]}}]
        """
      Then the toolCalls of the aggregate are [{"type": "function", "function": {"name": "find", "arguments": "{\"to\": \"Bergen\"}"}, "id": "call_1"}]

    @v2
    Scenario: A call in three pieces in version 2
      When a client requests a V2 stream of:
        """
        [{"delta": {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "find", "arguments": "{\"to\":"}}]}},
         {"delta": {"tool_calls": [{"index": 0, "function": {"arguments": " \"Ber"}}]}},
         {"delta": {"tool_calls": [{"index": 0, "function": {"arguments": "gen\"}"}}]}}]
        """
      Then the toolCalls of the aggregate are [{"type": "function", "function": {"name": "find", "arguments": "{\"to\": \"Bergen\"}"}, "id": "call_1"}]

  @merlin.tools.every @should @aggregate
  Rule: No parallel call is lost

    @v1
    Scenario: Two calls in one event in version 1
      When a client requests a V1 stream of:
        """
        [{"delta": {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "find", "arguments": "{}"}},
           {"index": 1, "id": "call_2", "type": "function", "function": {"name": "book", "arguments": "["}}]}},
         {"delta": {"tool_calls": [{"index": 0, "function": {"arguments": " "}}, {"index": 1, "function": {"arguments": "]"}}]}}]
        """
      Then the toolCalls of the aggregate are:
        """
        [{"type": "function", "function": {"name": "find", "arguments": "{} "}, "id": "call_1"},
         {"type": "function", "function": {"name": "book", "arguments": "[]"}, "id": "call_2"}]
        """

    @v2
    Scenario: Two calls in one event in version 2
      When a client requests a V2 stream of:
        """
        [{"delta": {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "find", "arguments": "{}"}},
           {"index": 1, "id": "call_2", "type": "function", "function": {"name": "book", "arguments": "["}}]}},
         {"delta": {"tool_calls": [{"index": 0, "function": {"arguments": " "}}, {"index": 1, "function": {"arguments": "]"}}]}}]
        """
      Then the toolCalls of the aggregate are:
        """
        [{"type": "function", "function": {"name": "find", "arguments": "{} "}, "id": "call_1"},
         {"type": "function", "function": {"name": "book", "arguments": "[]"}, "id": "call_2"}]
        """

  @merlin.tools.unknown @must
  Rule: What continues nothing is left out

    @v1
    Scenario: A piece of no call in version 1
      When a client requests a V1 stream of:
        """
        [{"delta": {"tool_calls": [{"index": 3, "function": {"arguments": "x"}}]}},
         {"delta": {"content": "So."}}]
        """
      Then the text of the stream is "So."

    @v2
    Scenario: A piece of no call in version 2
      When a client requests a V2 stream of:
        """
        [{"delta": {"tool_calls": [{"index": 3, "function": {"arguments": "x"}}]}},
         {"delta": {"content": "So."}}]
        """
      Then the text of the stream is "So."

    @v1 @aggregate
    Scenario: The calls of a stream with a piece of no call in version 1
      When a client requests a V1 stream of:
        """
        [{"delta": {"tool_calls": [{"index": 3, "function": {"arguments": "x"}}]}},
         {"delta": {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "find", "arguments": "{}"}}]}}]
        """
      Then the toolCalls of the aggregate are [{"type": "function", "function": {"name": "find", "arguments": "{}"}, "id": "call_1"}]

    @v2 @aggregate
    Scenario: The calls of a stream with a piece of no call in version 2
      When a client requests a V2 stream of:
        """
        [{"delta": {"tool_calls": [{"index": 3, "function": {"arguments": "x"}}]}},
         {"delta": {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "find", "arguments": "{}"}}]}}]
        """
      Then the toolCalls of the aggregate are [{"type": "function", "function": {"name": "find", "arguments": "{}"}, "id": "call_1"}]

  @merlin.tools.shape @must @aggregate
  Rule: Calls have their shape

    @v1
    Scenario: The shape of a call in version 1
      When a client requests a V1 stream of:
        """
        [{"delta": {"tool_calls": [{"index": 0, "id": "call_9", "type": "function", "function": {"name": "find", "arguments": "{\"a\":1}"}}]}}]
        """
      Then the toolCalls of the aggregate are [{"type": "function", "function": {"name": "find", "arguments": "{\"a\":1}"}, "id": "call_9"}]
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The shape of a call in version 2
      When a client requests a V2 stream of:
        """
        [{"delta": {"tool_calls": [{"index": 0, "id": "call_9", "type": "function", "function": {"name": "find", "arguments": "{\"a\":1}"}}]}}]
        """
      Then the toolCalls of the aggregate are [{"type": "function", "function": {"name": "find", "arguments": "{\"a\":1}"}, "id": "call_9"}]
      And no exchange of this scenario breaks this rule

  @merlin.tools.empty @must @aggregate
  Rule: A call without arguments is no call

    @v1
    Scenario: A call without arguments in version 1
      When a client requests a V1 stream of:
        """
        [{"delta": {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "find", "arguments": ""}}]}},
         {"delta": {"tool_calls": [{"index": 1, "id": "call_2", "type": "function", "function": {"name": "book", "arguments": "{}"}}]}}]
        """
      Then the toolCalls of the aggregate are [{"type": "function", "function": {"name": "book", "arguments": "{}"}, "id": "call_2"}]

    @v2
    Scenario: A call without arguments in version 2
      When a client requests a V2 stream of:
        """
        [{"delta": {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "find", "arguments": ""}}]}},
         {"delta": {"tool_calls": [{"index": 1, "id": "call_2", "type": "function", "function": {"name": "book", "arguments": "{}"}}]}}]
        """
      Then the toolCalls of the aggregate are [{"type": "function", "function": {"name": "book", "arguments": "{}"}, "id": "call_2"}]

    @v1
    Scenario: Nothing but a call without arguments in version 1
      When a client requests a V1 stream of:
        """
        [{"delta": {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "find", "arguments": ""}}]}}]
        """
      Then the toolCalls of the aggregate are []

    @v2
    Scenario: Nothing but a call without arguments in version 2
      When a client requests a V2 stream of:
        """
        [{"delta": {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "find", "arguments": ""}}]}}]
        """
      Then the toolCalls of the aggregate are []

  @merlin.tools.order @must @aggregate
  Rule: Calls keep their order

    @v1
    Scenario: Two calls of which the second comes first in version 1
      When a client requests a V1 stream of:
        """
        [{"delta": {"tool_calls": [{"index": 1, "id": "call_2", "type": "function", "function": {"name": "book", "arguments": "{}"}}]}},
         {"delta": {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "find", "arguments": "{}"}}]}}]
        """
      Then the toolCalls of the aggregate are:
        """
        [{"type": "function", "function": {"name": "find", "arguments": "{}"}, "id": "call_1"},
         {"type": "function", "function": {"name": "book", "arguments": "{}"}, "id": "call_2"}]
        """

    @v2
    Scenario: Two calls of which the second comes first in version 2
      When a client requests a V2 stream of:
        """
        [{"delta": {"tool_calls": [{"index": 1, "id": "call_2", "type": "function", "function": {"name": "book", "arguments": "{}"}}]}},
         {"delta": {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "find", "arguments": "{}"}}]}}]
        """
      Then the toolCalls of the aggregate are:
        """
        [{"type": "function", "function": {"name": "find", "arguments": "{}"}, "id": "call_1"},
         {"type": "function", "function": {"name": "book", "arguments": "{}"}, "id": "call_2"}]
        """

  @merlin.tools.chunk @may @v2
  Rule: Calls may be sent

    Scenario: A call beside a text
      When a client requests a V2 stream of:
        """
        [{"delta": {"content": "Let me see."}},
         {"delta": {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "find", "arguments": "{}"}}]}}]
        """
      Then the stream sends:
        """
        message {"type": "text", "text": "Let me see.", "index": 0}
        """
      And no exchange of this scenario breaks this rule
