Feature: Tools

  @merlin.tools.assembled @must @aggregate
  Rule: Pieces are put together

    @v1
    Scenario: A call in three pieces in version 1
      When a client requests a V1 stream of:
        """
        the model calls find with "{\"to\":" at 0 as call_1
        the model continues the call at 0 with " \"Ber"
        the model continues the call at 0 with "gen\"}"
        """
      Then the toolCalls of the aggregate are [{"type": "function", "function": {"name": "find", "arguments": "{\"to\": \"Bergen\"}"}, "id": "call_1"}]

    @v2
    Scenario: A call in three pieces in version 2
      When a client requests a V2 stream of:
        """
        the model calls find with "{\"to\":" at 0 as call_1
        the model continues the call at 0 with " \"Ber"
        the model continues the call at 0 with "gen\"}"
        """
      Then the toolCalls of the aggregate are [{"type": "function", "function": {"name": "find", "arguments": "{\"to\": \"Bergen\"}"}, "id": "call_1"}]

  @merlin.tools.every @should @aggregate
  Rule: No parallel call is lost

    @v1
    Scenario: Two calls in one event in version 1
      When a client requests a V1 stream of:
        """
        the model calls find with "{}" at 0 as call_1, book with "[" at 1 as call_2
        the model continues the call at 0 with " ", the call at 1 with "]"
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
        the model calls find with "{}" at 0 as call_1, book with "[" at 1 as call_2
        the model continues the call at 0 with " ", the call at 1 with "]"
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
        the model continues the call at 3 with "x"
        the model sends the text "So."
        """
      Then the text of the stream is "So."

    @v2
    Scenario: A piece of no call in version 2
      When a client requests a V2 stream of:
        """
        the model continues the call at 3 with "x"
        the model sends the text "So."
        """
      Then the text of the stream is "So."

    @v1 @aggregate
    Scenario: The calls of a stream with a piece of no call in version 1
      When a client requests a V1 stream of:
        """
        the model continues the call at 3 with "x"
        the model calls find with "{}" at 0 as call_1
        """
      Then the toolCalls of the aggregate are [{"type": "function", "function": {"name": "find", "arguments": "{}"}, "id": "call_1"}]

    @v2 @aggregate
    Scenario: The calls of a stream with a piece of no call in version 2
      When a client requests a V2 stream of:
        """
        the model continues the call at 3 with "x"
        the model calls find with "{}" at 0 as call_1
        """
      Then the toolCalls of the aggregate are [{"type": "function", "function": {"name": "find", "arguments": "{}"}, "id": "call_1"}]

  @merlin.tools.shape @must @aggregate
  Rule: Calls have their shape

    @v1
    Scenario: The shape of a call in version 1
      When a client requests a V1 stream of:
        """
        the model calls find with "{\"a\":1}" at 0 as call_9
        """
      Then the toolCalls of the aggregate are [{"type": "function", "function": {"name": "find", "arguments": "{\"a\":1}"}, "id": "call_9"}]
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The shape of a call in version 2
      When a client requests a V2 stream of:
        """
        the model calls find with "{\"a\":1}" at 0 as call_9
        """
      Then the toolCalls of the aggregate are [{"type": "function", "function": {"name": "find", "arguments": "{\"a\":1}"}, "id": "call_9"}]
      And no exchange of this scenario breaks this rule

  @merlin.tools.empty @must @aggregate
  Rule: A call without arguments is no call

    @v1
    Scenario: A call without arguments in version 1
      When a client requests a V1 stream of:
        """
        the model calls find with "" at 0 as call_1
        the model calls book with "{}" at 1 as call_2
        """
      Then the toolCalls of the aggregate are [{"type": "function", "function": {"name": "book", "arguments": "{}"}, "id": "call_2"}]

    @v2
    Scenario: A call without arguments in version 2
      When a client requests a V2 stream of:
        """
        the model calls find with "" at 0 as call_1
        the model calls book with "{}" at 1 as call_2
        """
      Then the toolCalls of the aggregate are [{"type": "function", "function": {"name": "book", "arguments": "{}"}, "id": "call_2"}]

    @v1
    Scenario: Nothing but a call without arguments in version 1
      When a client requests a V1 stream of:
        """
        the model calls find with "" at 0 as call_1
        """
      Then the toolCalls of the aggregate are []

    @v2
    Scenario: Nothing but a call without arguments in version 2
      When a client requests a V2 stream of:
        """
        the model calls find with "" at 0 as call_1
        """
      Then the toolCalls of the aggregate are []

  @merlin.tools.order @must @aggregate
  Rule: Calls keep their order

    @v1
    Scenario: Two calls of which the second comes first in version 1
      When a client requests a V1 stream of:
        """
        the model calls book with "{}" at 1 as call_2
        the model calls find with "{}" at 0 as call_1
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
        the model calls book with "{}" at 1 as call_2
        the model calls find with "{}" at 0 as call_1
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
        the model sends the text "Let me see."
        the model calls find with "{}" at 0 as call_1
        """
      Then the stream sends:
        """
        message {"type": "text", "text": "Let me see.", "index": 0}
        """
      And no exchange of this scenario breaks this rule
