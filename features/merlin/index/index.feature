Feature: Index

  @merlin.index.floor @must-not @v2
  Rule: The index is never below the global one

    Scenario: An index below the global one
      When a client requests a V2 stream of:
        """
        {"contentIndex": 2, "globalIndex": 6,
         "acts": [{"delta": {"content": "a"}},
                  {"delta": {"content": "b"}}]}
        """
      Then the stream sends:
        """
        message {"type": "text", "text": "a", "index": 6}
        message {"type": "text", "text": "b", "index": 6}
        """

  @merlin.index.initial @must @v2
  Rule: The higher index counts

    Scenario: The higher one of two indexes
      When a client requests a V2 stream of:
        """
        {"globalIndex": 3, "eventManagerIndex": 5,
         "acts": [{"delta": {"content": "a"}},
                  {"delta": {"content": "b"}}]}
        """
      Then the stream sends:
        """
        message {"type": "text", "text": "a", "index": 5}
        message {"type": "text", "text": "b", "index": 5}
        """

    Scenario: The lower one of two indexes
      When a client requests a V2 stream of:
        """
        {"globalIndex": 5, "eventManagerIndex": 3,
         "acts": [{"delta": {"content": "a"}},
                  {"delta": {"content": "b"}}]}
        """
      Then the stream sends:
        """
        message {"type": "text", "text": "a", "index": 5}
        message {"type": "text", "text": "b", "index": 5}
        """

  @merlin.index.unchanged @must @v2
  Rule: An index that is free is used

    Scenario: An index and no global one
      When a client requests a V2 stream of:
        """
        {"contentIndex": 2,
         "acts": [{"delta": {"content": "a"}},
                  {"delta": {"content": "b"}}]}
        """
      Then the stream sends:
        """
        message {"type": "text", "text": "a", "index": 2}
        message {"type": "text", "text": "b", "index": 2}
        """

    Scenario: An index above the global one
      When a client requests a V2 stream of:
        """
        {"contentIndex": 7, "globalIndex": 4, "eventManagerIndex": 9,
         "acts": [{"delta": {"content": "a"}},
                  {"delta": {"content": "b"}}]}
        """
      Then the stream sends:
        """
        message {"type": "text", "text": "a", "index": 7}
        message {"type": "text", "text": "b", "index": 7}
        """

  @merlin.index.ascending @should-not @v2
  Rule: The index doesn't decrease

    Scenario: A thought, a text and a second agent
      When a client requests a V2 stream of:
        """
        {"globalIndex": 2,
         "acts": [{"delta": {"reasoning": {"text": "hm", "index": 0}}},
                  {"delta": {"content": "a"}},
                  {"handoff": "writer"},
                  {"delta": {"content": "b"}}]}
        """
      Then the text of the stream is "ab"
      And no exchange of this scenario breaks this rule

  @merlin.index.shared @must @v2
  Rule: Two agents have two indexes

    Scenario: A second agent
      When a client requests a V2 stream of:
        """
        {"globalIndex": 4,
         "acts": [{"delta": {"content": "a"}},
                  {"handoff": "writer"},
                  {"delta": {"content": "b"}}]}
        """
      Then the texts "a" and "b" have different indexes

  @merlin.index.block @should @v2
  Rule: A block has one index

    Scenario: A block of five messages
      When a client requests a V2 stream of:
        """
        {"globalIndex": 3,
         "acts": [{"delta": {"content": "a"}},
                  {"delta": {"reasoning": {"text": "hm", "index": 0}}},
                  {"delta": {"content": "b"}},
                  {"delta": {"content": "c"}},
                  {"delta": {"content": "d"}}]}
        """
      Then the stream sends:
        """
        message {"type": "text", "text": "a", "index": 3}
        message {"type": "reasoning", "reasoning": "hm", "index": 3}
        message {"type": "text", "text": "b", "index": 3}
        message {"type": "text", "text": "c", "index": 3}
        message {"type": "text", "text": "d", "index": 3}
        """
