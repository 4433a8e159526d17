Feature: Failure

  @merlin.failure.kept @must
  Rule: What was said is sent

    @v1
    Scenario: A model that breaks off in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "It is "
        the model sends the text "far"
        the model breaks off
        """
      Then the text of the stream is "It is far"

    @v2
    Scenario: A model that breaks off in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "It is "
        the model sends the text "far"
        the model breaks off
        """
      Then the text of the stream is "It is far"

  @merlin.failure.ends @must
  Rule: A failed stream ends

    @v1
    Scenario: The end of a model that breaks off in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "It is"
        the model breaks off
        """
      Then the stream sends INIT_MESSAGE_CONTENT, message, end

    @v2
    Scenario: The end of a model that breaks off in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "It is"
        the model breaks off
        """
      Then the stream sends message, end

    @v1
    Scenario: The end of a model that says nothing in version 1
      When a client requests a V1 stream of:
        """
        the model breaks off
        """
      Then the stream sends INIT_MESSAGE_CONTENT, end

    @v2
    Scenario: The end of a model that says nothing in version 2
      When a client requests a V2 stream of:
        """
        the model breaks off
        """
      Then the stream sends end

  @merlin.failure.no-calls @must @aggregate
  Rule: Half calls are dropped

    @v1
    Scenario: A call of a model that breaks off in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "a"
        the model calls find with "{}" at 0 as call_1
        the model breaks off
        """
      Then the toolCalls of the aggregate are []

    @v2
    Scenario: A call of a model that breaks off in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "a"
        the model calls find with "{}" at 0 as call_1
        the model breaks off
        """
      Then the toolCalls of the aggregate are []

  @merlin.failure.partial @must @aggregate
  Rule: The aggregate is partial

    @v1
    Scenario: The aggregate of a model that breaks off in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "It is "
        the model sends the text "far"
        the model breaks off
        """
      Then the aggregate of the stream has the text "It is far"

    @v2
    Scenario: The aggregate of a model that breaks off in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "It is "
        the model sends the text "far"
        the model breaks off
        """
      Then the aggregate of the stream has the text "It is far"

  @merlin.failure.stopped @must-not
  Rule: A stopped stream is silent

    @v1
    Scenario: A request that is stopped in version 1
      Given a client requests a V1 stream of:
        """
        the model sends the text "One. "
        the script waits for "b"
        the user stops the request
        the model sends the text "TWO"
        the model sends the text "THREE"
        """
      And the client has "One. "
      When the stream passes "b"
      Then the stream holds nothing of "TWO"
      And the stream holds nothing of "THREE"

    @v2
    Scenario: A request that is stopped in version 2
      Given a client requests a V2 stream of:
        """
        the model sends the text "One. "
        the script waits for "b"
        the user stops the request
        the model sends the text "TWO"
        the model sends the text "THREE"
        """
      And the client has "One. "
      When the stream passes "b"
      Then the stream holds nothing of "TWO"
      And the stream holds nothing of "THREE"

  @merlin.failure.stopped-end @must
  Rule: A stopped stream ends

    @v1
    Scenario: The end of a request that is stopped in version 1
      Given a client requests a V1 stream of:
        """
        the model sends the text "One. "
        the script waits for "b"
        the user stops the request
        the model sends the text "TWO"
        the model sends the text "THREE"
        """
      And the client has "One. "
      When the stream passes "b"
      Then the stream sends INIT_MESSAGE_CONTENT, message, end

    @v2
    Scenario: The end of a request that is stopped in version 2
      Given a client requests a V2 stream of:
        """
        the model sends the text "One. "
        the script waits for "b"
        the user stops the request
        the model sends the text "TWO"
        the model sends the text "THREE"
        """
      And the client has "One. "
      When the stream passes "b"
      Then the stream sends message, end

  @merlin.failure.stopped-partial @must @aggregate
  Rule: A stopped aggregate is partial

    @v1
    Scenario: The aggregate of a request that is stopped in version 1
      Given a client requests a V1 stream of:
        """
        the model sends the text "One. "
        the script waits for "b"
        the user stops the request
        the model sends the text "TWO"
        the model sends the text "THREE"
        """
      And the client has "One. "
      When the stream passes "b"
      Then the aggregate of the stream has the text "One. "

    @v2
    Scenario: The aggregate of a request that is stopped in version 2
      Given a client requests a V2 stream of:
        """
        the model sends the text "One. "
        the script waits for "b"
        the user stops the request
        the model sends the text "TWO"
        the model sends the text "THREE"
        """
      And the client has "One. "
      When the stream passes "b"
      Then the aggregate of the stream has the text "One. "
