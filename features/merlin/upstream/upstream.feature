Feature: Upstream

  @merlin.upstream.cut @must
  Rule: Cuts mean nothing

    @v1
    Scenario: Bytes that come one by one in version 1
      When a client requests a V1 stream of:
        """
        the model sends pieces of 1 byte
        the model sends the text "Grüße, 世界 😀"
        the model sends the reasoning "hm" of index 0
        the model sends the text " and more"
        the model sends the bytes "data: [DONE]\n\n"
        """
      Then the text of the stream is "Grüße, 世界 😀 and more"

    @v2
    Scenario: Bytes that come one by one in version 2
      When a client requests a V2 stream of:
        """
        the model sends pieces of 1 byte
        the model sends the text "Grüße, 世界 😀"
        the model sends the reasoning "hm" of index 0
        the model sends the text " and more"
        the model sends the bytes "data: [DONE]\n\n"
        """
      Then the text of the stream is "Grüße, 世界 😀 and more"

    @v1
    Scenario: Bytes that come in sevens in version 1
      When a client requests a V1 stream of:
        """
        the model sends pieces of 7 bytes
        the model sends the text "Grüße, 世界 😀"
        the model sends the reasoning "hm" of index 0
        the model sends the text " and more"
        the model sends the bytes "data: [DONE]\n\n"
        """
      Then the text of the stream is "Grüße, 世界 😀 and more"

    @v2
    Scenario: Bytes that come in sevens in version 2
      When a client requests a V2 stream of:
        """
        the model sends pieces of 7 bytes
        the model sends the text "Grüße, 世界 😀"
        the model sends the reasoning "hm" of index 0
        the model sends the text " and more"
        the model sends the bytes "data: [DONE]\n\n"
        """
      Then the text of the stream is "Grüße, 世界 😀 and more"

    @v1
    Scenario: Bytes that come all at once in version 1
      When a client requests a V1 stream of:
        """
        the model sends pieces of 1000000 bytes
        the model sends the text "Grüße, 世界 😀"
        the model sends the reasoning "hm" of index 0
        the model sends the text " and more"
        the model sends the bytes "data: [DONE]\n\n"
        """
      Then the text of the stream is "Grüße, 世界 😀 and more"

    @v2
    Scenario: Bytes that come all at once in version 2
      When a client requests a V2 stream of:
        """
        the model sends pieces of 1000000 bytes
        the model sends the text "Grüße, 世界 😀"
        the model sends the reasoning "hm" of index 0
        the model sends the text " and more"
        the model sends the bytes "data: [DONE]\n\n"
        """
      Then the text of the stream is "Grüße, 世界 😀 and more"

  @merlin.upstream.characters @must
  Rule: Characters stay whole

    @v1
    Scenario: Characters that come byte by byte in version 1
      When a client requests a V1 stream of:
        """
        the model sends pieces of 1 byte
        the model sends the text "äöü 世 😀é"
        """
      Then the text of the stream is "äöü 世 😀é"

    @v2
    Scenario: Characters that come byte by byte in version 2
      When a client requests a V2 stream of:
        """
        the model sends pieces of 1 byte
        the model sends the text "äöü 世 😀é"
        """
      Then the text of the stream is "äöü 世 😀é"

    @v1
    Scenario: Characters that come in threes in version 1
      When a client requests a V1 stream of:
        """
        the model sends pieces of 3 bytes
        the model sends the text "ää 世世 😀😀é"
        """
      Then the text of the stream is "ää 世世 😀😀é"

    @v2
    Scenario: Characters that come in threes in version 2
      When a client requests a V2 stream of:
        """
        the model sends pieces of 3 bytes
        the model sends the text "ää 世世 😀😀é"
        """
      Then the text of the stream is "ää 世世 😀😀é"

  @merlin.upstream.calls-cut @must @aggregate
  Rule: Cuts lose no calls

    @v1
    Scenario: Calls and usage that come in elevens in version 1
      When a client requests a V1 stream of:
        """
        the model sends pieces of 11 bytes
        the model sends the text "a"
        the model calls find with "{\"to\":" at 0 as call_1
        the model calls book with "{}" at 1 as call_2
        the model continues the call at 0 with "\"Bergen\"}"
        the model uses 3 prompt_tokens, 5 total_tokens
        """
      Then the toolCalls of the aggregate are:
        """
        [{"type": "function", "function": {"name": "find", "arguments": "{\"to\":\"Bergen\"}"}, "id": "call_1"},
         {"type": "function", "function": {"name": "book", "arguments": "{}"}, "id": "call_2"}]
        """
      And the usage of the aggregate is {"prompt_tokens": 3, "total_tokens": 5}

    @v2
    Scenario: Calls and usage that come in elevens in version 2
      When a client requests a V2 stream of:
        """
        the model sends pieces of 11 bytes
        the model sends the text "a"
        the model calls find with "{\"to\":" at 0 as call_1
        the model calls book with "{}" at 1 as call_2
        the model continues the call at 0 with "\"Bergen\"}"
        the model uses 3 prompt_tokens, 5 total_tokens
        """
      Then the toolCalls of the aggregate are:
        """
        [{"type": "function", "function": {"name": "find", "arguments": "{\"to\":\"Bergen\"}"}, "id": "call_1"},
         {"type": "function", "function": {"name": "book", "arguments": "{}"}, "id": "call_2"}]
        """
      And the usage of the aggregate is {"prompt_tokens": 3, "total_tokens": 5}

  @merlin.upstream.halves @should
  Rule: Halves become a character

    @v1
    Scenario: A character in two events in version 1
      When a client requests a V1 stream of:
        """
        the model sends the bytes "data: {\"choices\":[{\"delta\":{\"content\":\"a\\ud83d\"}}]}\n\n"
        the model sends the bytes "data: {\"choices\":[{\"delta\":{\"content\":\"\\ude00b\"}}]}\n\n"
        """
      Then the text of the stream is "a😀b"

    @v2
    Scenario: A character in two events in version 2
      When a client requests a V2 stream of:
        """
        the model sends the bytes "data: {\"choices\":[{\"delta\":{\"content\":\"a\\ud83d\"}}]}\n\n"
        the model sends the bytes "data: {\"choices\":[{\"delta\":{\"content\":\"\\ude00b\"}}]}\n\n"
        """
      Then the text of the stream is "a😀b"

  @merlin.upstream.noise @must
  Rule: Noise is passed over

    @v1
    Scenario: Noise among the events of a model in version 1
      When a client requests a V1 stream of:
        """
        the model sends the bytes ": ping\n\n"
        the model sends the text "a"
        the model sends the bytes "data: {not json}\n\n"
        the model sends the text "b"
        the model sends the bytes "data: [DONE]\n\n"
        """
      Then the text of the stream is "ab"

    @v2
    Scenario: Noise among the events of a model in version 2
      When a client requests a V2 stream of:
        """
        the model sends the bytes ": ping\n\n"
        the model sends the text "a"
        the model sends the bytes "data: {not json}\n\n"
        the model sends the text "b"
        the model sends the bytes "data: [DONE]\n\n"
        """
      Then the text of the stream is "ab"
