Feature: Citations

  @merlin.citations.mark @must @v1 @citations
  Rule: A citation is a mark

    Scenario: A citation between two sentences
      When a client requests a V1 stream of:
        """
        {"attachments": [{"type": "web", "url": "https://a.example/", "title": "A"}],
         "acts": [{"delta": {"content": "It is far.", "index": 0}},
                  {"delta": {"index": 0, "citation": {"document_index": 0, "cited_text": "463 km"}}},
                  {"delta": {"content": " Really.", "index": 1}}]}
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
        {"attachments": [{"type": "web", "url": "https://a.example/", "title": "A"},
                         {"type": "web", "url": "https://b.example/", "title": "B"}],
         "acts": [{"delta": {"content": "a", "index": 0}},
                  {"delta": {"index": 0, "citation": {"document_index": 1, "cited_text": "one"}}},
                  {"delta": {"content": "b", "index": 1}},
                  {"delta": {"index": 1, "citation": {"document_index": 1, "cited_text": "two"}}},
                  {"delta": {"content": "c", "index": 2}}]}
        """
      Then the text of the stream is "a[citation: 2: 1]b[citation: 2: 2]c"

  @merlin.citations.attachments @must @v1 @citations
  Rule: Sources come before the mark

    Scenario: Sources of which one is cited
      When a client requests a V1 stream of:
        """
        {"attachments": [{"type": "web", "url": "https://a.example/", "title": "A"},
                         {"type": "web", "url": "https://b.example/", "title": "B"}],
         "acts": [{"delta": {"content": "a", "index": 0}},
                  {"delta": {"index": 0, "citation": {"document_index": 1, "cited_text": "so"}}},
                  {"delta": {"content": "b", "index": 1}}]}
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
        {"attachments": [{"type": "web", "url": "https://a.example/", "title": "A"},
                         {"type": "web", "url": "https://b.example/", "title": "B"}],
         "acts": [{"delta": {"content": "a", "index": 0}},
                  {"delta": {"index": 0, "citation": {"document_index": 1, "cited_text": "so"}}},
                  {"delta": {"content": "b", "index": 1}},
                  {"delta": {"index": 1, "citation": {"document_index": 0, "cited_text": "yes"}}},
                  {"delta": {"content": "c", "index": 2}}]}
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
        {"attachments": [{"type": "web", "url": "https://a.example/", "title": "A"}],
         "acts": [{"delta": {"content": "a", "index": 0}},
                  {"delta": {"index": 0, "citation": {"document_index": 0, "cited_text": "x"}}},
                  {"delta": {"content": "b", "index": 1}},
                  {"delta": {"index": 1, "citation": {"document_index": 0, "cited_text": "y"}}},
                  {"delta": {"content": "c", "index": 2}},
                  {"delta": {"index": 2, "citation": {"document_index": 0, "cited_text": "x"}}},
                  {"delta": {"content": "d", "index": 3}}]}
        """
      Then the text of the stream is "a[citation: 1: 1]b[citation: 1: 2]c[citation: 1: 1]d"

  @merlin.citations.cited-once @must @v1 @citations
  Rule: A text is listed once

    Scenario: The list of a text that is cited again
      When a client requests a V1 stream of:
        """
        {"attachments": [{"type": "web", "url": "https://a.example/", "title": "A"}],
         "acts": [{"delta": {"content": "a", "index": 0}},
                  {"delta": {"index": 0, "citation": {"document_index": 0, "cited_text": "x"}}},
                  {"delta": {"content": "b", "index": 1}},
                  {"delta": {"index": 1, "citation": {"document_index": 0, "cited_text": "x"}}},
                  {"delta": {"content": "c", "index": 2}}]}
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
        {"attachments": [{"type": "web", "url": "https://a.example/", "title": "A"}],
         "acts": [{"delta": {"content": "It is ", "index": 0}},
                  {"delta": {"index": 0, "citation": {"document_index": 0, "cited_text": "463 km"}}},
                  {"delta": {"content": "far.", "index": 0}},
                  {"delta": {"content": " Really.", "index": 1}}]}
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
        {"attachments": [{"type": "web", "url": "https://a.example/", "title": "A"}],
         "acts": [{"delta": {"content": "a", "index": 0}},
                  {"delta": {"index": 0, "citation": {"document_index": 0, "cited_text": "x"}}},
                  {"delta": {"index": 0, "citation": {"document_index": 0, "cited_text": "y"}}},
                  {"delta": {"content": "b", "index": 1}}]}
        """
      Then the text of the stream is "a[citation: 1: 1][citation: 1: 2]b"

    Scenario: Citations of two sentences that wait together
      When a client requests a V1 stream of:
        """
        {"attachments": [{"type": "web", "url": "https://a.example/", "title": "A"}],
         "acts": [{"delta": {"content": "It is far.", "index": 0}},
                  {"delta": {"index": 0, "citation": {"document_index": 0, "cited_text": "463 km"}}},
                  {"delta": {"index": 1, "citation": {"document_index": 0, "cited_text": "by train"}}},
                  {"delta": {"content": " Take a train.", "index": 1}},
                  {"delta": {"content": " Or fly.", "index": 2}}]}
        """
      Then the text of the stream is "It is far.[citation: 1: 1] Take a train.[citation: 1: 2] Or fly."

  @merlin.citations.flushed @should @v1 @citations
  Rule: The last citation isn't lost

    Scenario: A citation at the end
      When a client requests a V1 stream of:
        """
        {"attachments": [{"type": "web", "url": "https://a.example/", "title": "A"}],
         "acts": [{"delta": {"content": "a", "index": 0}},
                  {"delta": {"index": 0, "citation": {"document_index": 0, "cited_text": "x"}}}]}
        """
      Then the text of the stream is "a[citation: 1: 1]"

  @merlin.citations.aggregate @must @v1 @citations @aggregate
  Rule: Marks are content

    Scenario: A mark in the aggregate
      When a client requests a V1 stream of:
        """
        {"attachments": [{"type": "web", "url": "https://a.example/", "title": "A"}],
         "acts": [{"delta": {"content": "a", "index": 0}},
                  {"delta": {"index": 0, "citation": {"document_index": 0, "cited_text": "x"}}},
                  {"delta": {"content": "b", "index": 1}}]}
        """
      Then the aggregate of the stream has the text "a[citation: 1: 1]b"

  @merlin.citations.none @must-not @v1 @citations
  Rule: Nothing cited, nothing sent

    Scenario: A text without citations
      When a client requests a V1 stream of:
        """
        {"attachments": [{"type": "web", "url": "https://a.example/", "title": "A"}],
         "acts": [{"delta": {"content": "a", "index": 0}},
                  {"delta": {"content": "b", "index": 1}}]}
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
        {"attachments": [{"type": "file", "url": "f.pdf", "title": "F"},
                         {"type": "web", "url": "https://a.example/", "title": "A"},
                         {"type": "image", "url": "i.png", "title": "I"},
                         {"type": "web", "url": "https://b.example/", "title": "B"}],
         "acts": [{"delta": {"content": "a", "index": 0}},
                  {"delta": {"index": 0, "citation": {"document_index": 1, "cited_text": "x"}}},
                  {"delta": {"content": "b", "index": 1}}]}
        """
      Then the stream sends:
        """
        message {"content": "a"}
        attachments {"payload": [{"url": "https://a.example/", "title": "A"}, {"url": "https://b.example/", "title": "B", "cited_text": ["x"]}]}
        message {"content": "[citation: 2: 1]b"}
        """
