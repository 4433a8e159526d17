Feature: Chunks

  @merlin.chunks.type @must @v2
  Rule: Messages have a type

    Scenario: The types of a thought and a text
      When a client requests a V2 stream of:
        """
        the model sends the reasoning "hm" of index 0
        the model sends the text "So."
        """
      Then the stream sends:
        """
        message {"type": "reasoning", "reasoning": "hm", "index": 0}
        message {"type": "text", "text": "So.", "index": 0}
        """
      And no exchange of this scenario breaks this rule

  @merlin.chunks.index @must @v2
  Rule: Messages have an index

    Scenario: The index of a thought and a text
      When a client requests a V2 stream of:
        """
        the model sends the reasoning "hm" of index 0
        the model sends the text "So it is."
        """
      Then the stream sends:
        """
        message {"type": "reasoning", "reasoning": "hm", "index": 0}
        message {"type": "text", "text": "So it is.", "index": 0}
        """
      And no exchange of this scenario breaks this rule

    Scenario: The index of a whole result
      When a client requests a V2 stream of:
        """
        the tool find returns "far" to call_1, of index 0
        """
      Then the stream sends:
        """
        message {"contentIndex": 0, "toolCallResult": {"index": 0, "result": "far", "toolCallId": "call_1", "function": {"name": "find"}}}
        """
      And no exchange of this scenario breaks this rule

  @merlin.chunks.text @must @v2
  Rule: Text stands in text

    Scenario: A text as a chunk
      When a client requests a V2 stream of:
        """
        the model sends the text "Let me see."
        """
      Then the stream sends:
        """
        message {"type": "text", "text": "Let me see.", "index": 0}
        """
      And no exchange of this scenario breaks this rule

  @merlin.chunks.content @should @v2
  Rule: Content is empty

    Scenario: The content of chunks
      When a client requests a V2 stream of:
        """
        the model sends the reasoning "hm" of index 0
        the model sends the text "Let me look."
        """
      Then the stream sends:
        """
        message {"type": "reasoning", "reasoning": "hm", "index": 0}
        message {"type": "text", "text": "Let me look.", "index": 0}
        """
      And no exchange of this scenario breaks this rule

  @merlin.chunks.reasoning @must @v2
  Rule: Reasoning stands in reasoning

    Scenario: A thought and two texts
      When a client requests a V2 stream of:
        """
        the model sends the reasoning "hm" of index 0, signed "x1"
        the model sends the text "Let me "
        the model sends the text "see."
        """
      Then the stream sends:
        """
        message {"type": "reasoning", "reasoning": "hm", "index": 0}
        message {"type": "text", "text": "Let me ", "index": 0}
        message {"type": "text", "text": "see.", "index": 0}
        """
      And no exchange of this scenario breaks this rule

  @merlin.chunks.reasoning-empty @must-not @v2
  Rule: Empty thoughts are left out

    Scenario: A thought with a signature alone
      When a client requests a V2 stream of:
        """
        the model sends the reasoning "hm" of index 0
        the model sends the reasoning "" of index 0, signed "x1"
        the model sends the text "So"
        """
      Then the stream sends:
        """
        message {"type": "reasoning", "reasoning": "hm", "index": 0}
        message {"type": "text", "text": "So", "index": 0}
        """
      And no exchange of this scenario breaks this rule

  @merlin.chunks.thought @must @v2
  Rule: No thought is lost

    Scenario: Thoughts between texts
      When a client requests a V2 stream of:
        """
        the model sends the reasoning "one" of index 0
        the model sends the text "a"
        the model sends the reasoning "two" of index 0
        the model sends the reasoning "three" of index 0
        the model sends the text "b"
        """
      Then the stream sends:
        """
        message {"type": "reasoning", "reasoning": "one", "index": 0}
        message {"type": "text", "text": "a", "index": 0}
        message {"type": "reasoning", "reasoning": "two", "index": 0}
        message {"type": "reasoning", "reasoning": "three", "index": 0}
        message {"type": "text", "text": "b", "index": 0}
        """

  @merlin.chunks.empty @must-not @v2
  Rule: Empty texts are left out

    Scenario: Empty texts around a text
      When a client requests a V2 stream of:
        """
        the model sends the text ""
        the model sends the text "a"
        the model sends the text ""
        the model uses 3 total_tokens
        """
      Then the stream sends:
        """
        message {"type": "text", "text": "a", "index": 0}
        """

  @merlin.chunks.complete @must @v2
  Rule: Chunks add up to the text

    Scenario: A text of three events
      When a client requests a V2 stream of:
        """
        the model sends the text "It is far"
        the model sends the text " to Bergen"
        the model sends the text ", even by train. 😀"
        """
      Then the text of the stream is "It is far to Bergen, even by train. 😀"

  @merlin.chunks.per-delta @must-not @v2
  Rule: One message for each event of the model

    Scenario: Ten events of the model
      When a client requests a V2 stream of:
        """
        the model sends the text "word0 and some more "
        the model sends the text "word1 and some more "
        the model sends the text "word2 and some more "
        the model sends the text "word3 and some more "
        the model sends the text "word4 and some more "
        the model sends the text "word5 and some more "
        the model sends the text "word6 and some more "
        the model sends the text "word7 and some more "
        the model sends the text "word8 and some more "
        the model sends the text "word9 and some more "
        """
      Then the stream sends:
        """
        message {"type": "text", "text": "word0 and some more ", "index": 0}
        message {"type": "text", "text": "word1 and some more ", "index": 0}
        message {"type": "text", "text": "word2 and some more ", "index": 0}
        message {"type": "text", "text": "word3 and some more ", "index": 0}
        message {"type": "text", "text": "word4 and some more ", "index": 0}
        message {"type": "text", "text": "word5 and some more ", "index": 0}
        message {"type": "text", "text": "word6 and some more ", "index": 0}
        message {"type": "text", "text": "word7 and some more ", "index": 0}
        message {"type": "text", "text": "word8 and some more ", "index": 0}
        message {"type": "text", "text": "word9 and some more ", "index": 0}
        """

  @merlin.chunks.suppressed @must-not @v2
  Rule: A suppressed text is kept

    Scenario: A suppressed text
      When a client requests a V2 stream of:
        """
        the stream is suppressed
        the model sends the text "SECRET "
        the model sends the text "WORDS"
        """
      Then the stream holds nothing of "SECRET"
      And the stream holds nothing of "WORDS"

  @merlin.chunks.suppressed-reasoning @should-not @v2
  Rule: A suppressed thought is kept

    Scenario: A suppressed thought
      When a client requests a V2 stream of:
        """
        the stream is suppressed
        the model sends the reasoning "PONDER" of index 0
        the model sends the text "a"
        """
      Then the stream holds nothing of "PONDER"

  @merlin.chunks.no-init @must-not @v2
  Rule: Version 2 isn't opened

    Scenario: A text alone
      When a client requests a V2 stream of:
        """
        the model sends the text "So it goes."
        """
      Then the stream sends message, end
      And no exchange of this scenario breaks this rule

  @merlin.chunks.no-v1-events @should-not @v2
  Rule: No steps of version 1

    Scenario: A text and a step
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Search"
        the application ends the step "Search"
        the model sends the text "So."
        """
      Then the stream sends message, end
      And no exchange of this scenario breaks this rule

    Scenario: A step that goes on
      When a client requests a V2 stream of:
        """
        the event manager has the version 2
        the application creates the step "Search"
        the application asks for the latest step "Search"
        the application ends the step "Search"
        """
      Then the stream sends message, end
      And no exchange of this scenario breaks this rule

    Scenario: A step of a manager without a version
      When a client requests a V2 stream of:
        """
        the application creates the step "Search"
        the application ends the step "Search"
        """
      Then the stream sends message, end
      And no exchange of this scenario breaks this rule

  @merlin.chunks.no-marks @should-not @v2
  Rule: No marks in the text

    Scenario: A citation in version 2
      When a client requests a V2 stream of:
        """
        the message has the attachment "A" of the type web at "https://a.example/"
        the model sends the text "a" of index 0
        the model cites "so" of document 0 at index 0
        the model sends the text "b" of index 1
        """
      Then the stream holds nothing of "[citation"
