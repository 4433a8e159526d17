Feature: Citations

  @merlin.citations.mark @must @v1 @citations
  Rule: A citation is a mark

    Scenario: A citation between two sentences
      When a client requests a V1 stream of:
        """
        the message has the attachment "A" of the type web at "https://a.example/"
        the model sends the text "It is far." of index 0
        the model cites "463 km" of document 0 at index 0
        the model sends the text " Really." of index 1
        """
      Then the stream sends:
        """
        message {"content": "It is far."}
        attachments {"payload": [{"url": "https://a.example/", "title": "A", "cited_text": ["463 km"]}]}
        message {"content": "[citation: 1: 1] Really."}
        """

    Scenario: The second text of the second document
      When a client requests a V1 stream of:
        """
        the message has the attachment "A" of the type web at "https://a.example/"
        the message has the attachment "B" of the type web at "https://b.example/"
        the model sends the text "a" of index 0
        the model cites "one" of document 1 at index 0
        the model sends the text "b" of index 1
        the model cites "two" of document 1 at index 1
        the model sends the text "c" of index 2
        """
      Then the text of the stream is "a[citation: 2: 1]b[citation: 2: 2]c"

  @merlin.citations.attachments @must @v1 @citations
  Rule: Sources come before the mark

    Scenario: Sources of which one is cited
      When a client requests a V1 stream of:
        """
        the message has the attachment "A" of the type web at "https://a.example/"
        the message has the attachment "B" of the type web at "https://b.example/"
        the model sends the text "a" of index 0
        the model cites "so" of document 1 at index 0
        the model sends the text "b" of index 1
        """
      Then the stream sends:
        """
        message {"content": "a"}
        attachments {"payload": [{"url": "https://a.example/", "title": "A"}, {"url": "https://b.example/", "title": "B", "cited_text": ["so"]}]}
        message {"content": "[citation: 2: 1]b"}
        """
      And no exchange of this scenario breaks this rule

    Scenario: Sources before each of two marks
      When a client requests a V1 stream of:
        """
        the message has the attachment "A" of the type web at "https://a.example/"
        the message has the attachment "B" of the type web at "https://b.example/"
        the model sends the text "a" of index 0
        the model cites "so" of document 1 at index 0
        the model sends the text "b" of index 1
        the model cites "yes" of document 0 at index 1
        the model sends the text "c" of index 2
        """
      Then the stream sends:
        """
        message {"content": "a"}
        attachments {"payload": [{"url": "https://a.example/", "title": "A"}, {"url": "https://b.example/", "title": "B", "cited_text": ["so"]}]}
        message {"content": "[citation: 2: 1]b"}
        attachments {"payload": [{"url": "https://a.example/", "cited_text": ["yes"]}, {"url": "https://b.example/", "cited_text": ["so"]}]}
        message {"content": "[citation: 1: 1]c"}
        """
      And no exchange of this scenario breaks this rule

  @merlin.citations.same-number @must @v1 @citations
  Rule: A text keeps its number

    Scenario: A text that is cited again
      When a client requests a V1 stream of:
        """
        the message has the attachment "A" of the type web at "https://a.example/"
        the model sends the text "a" of index 0
        the model cites "x" of document 0 at index 0
        the model sends the text "b" of index 1
        the model cites "y" of document 0 at index 1
        the model sends the text "c" of index 2
        the model cites "x" of document 0 at index 2
        the model sends the text "d" of index 3
        """
      Then the text of the stream is "a[citation: 1: 1]b[citation: 1: 2]c[citation: 1: 1]d"

  @merlin.citations.cited-once @must @v1 @citations
  Rule: A text is listed once

    Scenario: The list of a text that is cited again
      When a client requests a V1 stream of:
        """
        the message has the attachment "A" of the type web at "https://a.example/"
        the model sends the text "a" of index 0
        the model cites "x" of document 0 at index 0
        the model sends the text "b" of index 1
        the model cites "x" of document 0 at index 1
        the model sends the text "c" of index 2
        """
      Then the stream sends:
        """
        message {"content": "a"}
        attachments {"payload": [{"url": "https://a.example/", "title": "A", "cited_text": ["x"]}]}
        message {"content": "[citation: 1: 1]b"}
        attachments {"payload": [{"url": "https://a.example/", "title": "A", "cited_text": ["x"]}]}
        message {"content": "[citation: 1: 1]c"}
        """

  @merlin.citations.moment @must @v1 @citations
  Rule: A citation stands behind its sentence

    Scenario: A sentence that goes on
      When a client requests a V1 stream of:
        """
        the message has the attachment "A" of the type web at "https://a.example/"
        the model sends the text "It is " of index 0
        the model cites "463 km" of document 0 at index 0
        the model sends the text "far." of index 0
        the model sends the text " Really." of index 1
        """
      Then the stream sends:
        """
        message {"content": "It is far."}
        attachments {"payload": [{"url": "https://a.example/", "title": "A", "cited_text": ["463 km"]}]}
        message {"content": "[citation: 1: 1] Really."}
        """

  @merlin.citations.each @should @v1 @citations
  Rule: No citation is lost

    Scenario: Citations of one sentence
      When a client requests a V1 stream of:
        """
        the message has the attachment "A" of the type web at "https://a.example/"
        the model sends the text "a" of index 0
        the model cites "x" of document 0 at index 0
        the model cites "y" of document 0 at index 0
        the model sends the text "b" of index 1
        """
      Then the text of the stream is "a[citation: 1: 1][citation: 1: 2]b"

    Scenario: Citations of two sentences that wait together
      When a client requests a V1 stream of:
        """
        the message has the attachment "A" of the type web at "https://a.example/"
        the model sends the text "It is far." of index 0
        the model cites "463 km" of document 0 at index 0
        the model cites "by train" of document 0 at index 1
        the model sends the text " Take a train." of index 1
        the model sends the text " Or fly." of index 2
        """
      Then the text of the stream is "It is far.[citation: 1: 1] Take a train.[citation: 1: 2] Or fly."

  @merlin.citations.flushed @should @v1 @citations
  Rule: The last citation isn't lost

    Scenario: A citation at the end
      When a client requests a V1 stream of:
        """
        the message has the attachment "A" of the type web at "https://a.example/"
        the model sends the text "a" of index 0
        the model cites "x" of document 0 at index 0
        """
      Then the text of the stream is "a[citation: 1: 1]"

  @merlin.citations.aggregate @must @v1 @citations @aggregate
  Rule: Marks are content

    Scenario: A mark in the aggregate
      When a client requests a V1 stream of:
        """
        the message has the attachment "A" of the type web at "https://a.example/"
        the model sends the text "a" of index 0
        the model cites "x" of document 0 at index 0
        the model sends the text "b" of index 1
        """
      Then the aggregate of the stream has the text "a[citation: 1: 1]b"

  @merlin.citations.none @must-not @v1 @citations
  Rule: Nothing cited, nothing sent

    Scenario: A text without citations
      When a client requests a V1 stream of:
        """
        the message has the attachment "A" of the type web at "https://a.example/"
        the model sends the text "a" of index 0
        the model sends the text "b" of index 1
        """
      Then the stream sends:
        """
        message {"content": "ab"}
        """

  @merlin.citations.documents @must @v1 @citations
  Rule: Only sources on the web count

    Scenario: A file among the sources
      When a client requests a V1 stream of:
        """
        the message has the attachment "F" of the type file at "f.pdf"
        the message has the attachment "A" of the type web at "https://a.example/"
        the message has the attachment "I" of the type image at "i.png"
        the message has the attachment "B" of the type web at "https://b.example/"
        the model sends the text "a" of index 0
        the model cites "x" of document 1 at index 0
        the model sends the text "b" of index 1
        """
      Then the stream sends:
        """
        message {"content": "a"}
        attachments {"payload": [{"url": "https://a.example/", "title": "A"}, {"url": "https://b.example/", "title": "B", "cited_text": ["x"]}]}
        message {"content": "[citation: 2: 1]b"}
        """
