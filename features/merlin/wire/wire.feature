Feature: The wire

  @merlin.wire.content-type @must
  Rule: A stream is an event stream

    @v1
    Scenario: The head of a stream in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "It is noon."
        """
      Then the text of the stream is "It is noon."
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The head of a stream in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "It is noon."
        """
      Then the text of the stream is "It is noon."
      And no exchange of this scenario breaks this rule

  @merlin.wire.cache-control @must
  Rule: Nobody keeps a stream

    @v1
    Scenario: The cache control of a stream in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "It is one."
        """
      Then the text of the stream is "It is one."
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The cache control of a stream in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "It is one."
        """
      Then the text of the stream is "It is one."
      And no exchange of this scenario breaks this rule

  @merlin.wire.connection @should-not
  Rule: The connection is kept

    @v1
    Scenario: The connection of a stream in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "It is two."
        """
      Then the text of the stream is "It is two."
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The connection of a stream in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "It is two."
        """
      Then the text of the stream is "It is two."
      And no exchange of this scenario breaks this rule

  @merlin.wire.cors-origin @must @cors
  Rule: Pages of every origin may read

    @v1
    Scenario: The origins of a stream in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "It is three."
        """
      Then the text of the stream is "It is three."
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The origins of a stream in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "It is three."
        """
      Then the text of the stream is "It is three."
      And no exchange of this scenario breaks this rule

  @merlin.wire.cors-headers @must @cors
  Rule: Pages may send any header

    @v1
    Scenario: The headers of a stream in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "It is four."
        """
      Then the text of the stream is "It is four."
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The headers of a stream in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "It is four."
        """
      Then the text of the stream is "It is four."
      And no exchange of this scenario breaks this rule

  @merlin.wire.names @should
  Rule: Events have known names

    @v1
    Scenario: A word and the end in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "Hello"
        """
      Then the stream sends INIT_MESSAGE_CONTENT, message, end
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: A word and the end in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "Hello"
        """
      Then the stream sends message, end
      And no exchange of this scenario breaks this rule

  @merlin.wire.json @must
  Rule: Data is one JSON value

    @v1
    Scenario: A text with quotes in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "She said \"no\\way\"."
        """
      Then the text of the stream is "She said \"no\\way\"."
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: A text with quotes in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "She said \"no\\way\"."
        """
      Then the text of the stream is "She said \"no\\way\"."
      And no exchange of this scenario breaks this rule

  @merlin.wire.object @must
  Rule: Data is an object

    @v1
    Scenario: A short text in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "So."
        """
      Then the text of the stream is "So."
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: A short text in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "So."
        """
      Then the text of the stream is "So."
      And no exchange of this scenario breaks this rule

  @merlin.wire.single-data-line @should
  Rule: Data is on one line

    @v1
    Scenario: A text of two lines in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "one\ntwo"
        """
      Then the text of the stream is "one\ntwo"
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: A text of two lines in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "one\ntwo"
        """
      Then the text of the stream is "one\ntwo"
      And no exchange of this scenario breaks this rule

  @merlin.wire.blank-line @must
  Rule: A blank line ends an event

    @v1
    Scenario: A text and its blank lines in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "It is five."
        """
      Then the text of the stream is "It is five."
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: A text and its blank lines in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "It is five."
        """
      Then the text of the stream is "It is five."
      And no exchange of this scenario breaks this rule

  @merlin.wire.utf8 @must
  Rule: The body is UTF-8

    @v1
    Scenario: A text in many scripts in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "Grüße, 世界 и мир"
        """
      Then the text of the stream is "Grüße, 世界 и мир"
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: A text in many scripts in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "Grüße, 世界 и мир"
        """
      Then the text of the stream is "Grüße, 世界 и мир"
      And no exchange of this scenario breaks this rule

  @merlin.wire.no-bom @should-not
  Rule: No byte order mark

    @v1
    Scenario: The first bytes of a stream in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "It is six."
        """
      Then the text of the stream is "It is six."
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The first bytes of a stream in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "It is six."
        """
      Then the text of the stream is "It is six."
      And no exchange of this scenario breaks this rule

  @merlin.wire.unwrapped @must
  Rule: A message is not wrapped

    @v1
    Scenario: A message in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "It is seven."
        """
      Then the text of the stream is "It is seven."
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: A message in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "It is seven."
        """
      Then the text of the stream is "It is seven."
      And no exchange of this scenario breaks this rule

  @merlin.wire.payload @must @v1
  Rule: Progress and attachments have a payload

    Scenario: A step and a citation
      When a client requests a V1 stream of:
        """
        the message has the attachment "A" of the type web at "https://a.example/"
        the application creates the step "Search"
        the application ends the step "Search"
        the model sends the text "a" of index 0
        the model cites "so" of document 0 at index 0
        the model sends the text "b" of index 1
        """
      Then the stream sends INIT_MESSAGE_CONTENT, progress, message, attachments, message, end
      And no exchange of this scenario breaks this rule

  @merlin.wire.end-last @must
  Rule: A stream ends with end

    @v1
    Scenario: The last event of a stream in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "It is eight."
        """
      Then the text of the stream is "It is eight."
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The last event of a stream in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "It is eight."
        """
      Then the text of the stream is "It is eight."
      And no exchange of this scenario breaks this rule

  @merlin.wire.body-closes @must
  Rule: The body closes

    @v1
    Scenario: The end of a body in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "It is nine."
        """
      Then the text of the stream is "It is nine."
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The end of a body in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "It is nine."
        """
      Then the text of the stream is "It is nine."
      And no exchange of this scenario breaks this rule

  @merlin.wire.nothing-after @must-not
  Rule: Nothing follows the end

    @v1
    Scenario: One end in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "It is ten."
        """
      Then the text of the stream is "It is ten."
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: One end in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "It is ten."
        """
      Then the text of the stream is "It is ten."
      And no exchange of this scenario breaks this rule

  @merlin.wire.end-data @must
  Rule: The end says DONE or nothing

    @v1
    Scenario: The data of the end in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "It is eleven."
        """
      Then the text of the stream is "It is eleven."
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The data of the end in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "It is eleven."
        """
      Then the text of the stream is "It is eleven."
      And no exchange of this scenario breaks this rule

  @merlin.wire.live @must
  Rule: Events come when they arise

    @v1
    Scenario: A text while the model waits in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "One. "
        the script waits for "b"
        the model sends the text "Two."
        """
      Then the client has "One. " while the stream waits

    @v2
    Scenario: A text while the model waits in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "One. "
        the script waits for "b"
        the model sends the text "Two."
        """
      Then the client has "One. " while the stream waits

  @merlin.wire.forged @must
  Rule: No text makes an event

    @v1
    Scenario: A text that looks like framing in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "a\n\nevent: end\ndata: {}\r\n\r\n: b"
        """
      Then the text of the stream is "a\n\nevent: end\ndata: {}\r\n\r\n: b"

    @v2
    Scenario: A text that looks like framing in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "a\n\nevent: end\ndata: {}\r\n\r\n: b"
        """
      Then the text of the stream is "a\n\nevent: end\ndata: {}\r\n\r\n: b"
