Feature: Index

  @merlin.index.floor @must-not @v2
  Rule: The index is never below the global one

    Scenario: An index below the global one
      When a client requests a V2 stream of:
        """
        the caller asks for the index 2
        the global index is 6
        the model sends the text "a"
        the model sends the text "b"
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
        the global index is 3
        the event manager has the index 5
        the model sends the text "a"
        the model sends the text "b"
        """
      Then the stream sends:
        """
        message {"type": "text", "text": "a", "index": 5}
        message {"type": "text", "text": "b", "index": 5}
        """

    Scenario: The lower one of two indexes
      When a client requests a V2 stream of:
        """
        the global index is 5
        the event manager has the index 3
        the model sends the text "a"
        the model sends the text "b"
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
        the caller asks for the index 2
        the model sends the text "a"
        the model sends the text "b"
        """
      Then the stream sends:
        """
        message {"type": "text", "text": "a", "index": 2}
        message {"type": "text", "text": "b", "index": 2}
        """

    Scenario: An index above the global one
      When a client requests a V2 stream of:
        """
        the caller asks for the index 7
        the global index is 4
        the event manager has the index 9
        the model sends the text "a"
        the model sends the text "b"
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
        the global index is 2
        the model sends the reasoning "hm" of index 0
        the model sends the text "a"
        the agent "writer" takes over
        the model sends the text "b"
        """
      Then the text of the stream is "ab"
      And no exchange of this scenario breaks this rule

  @merlin.index.shared @must @v2
  Rule: Two agents have two indexes

    Scenario: A second agent
      When a client requests a V2 stream of:
        """
        the global index is 4
        the model sends the text "a"
        the agent "writer" takes over
        the model sends the text "b"
        """
      Then the texts "a" and "b" have different indexes

  @merlin.index.block @should @v2
  Rule: A block has one index

    Scenario: A block of five messages
      When a client requests a V2 stream of:
        """
        the global index is 3
        the model sends the text "a"
        the model sends the reasoning "hm" of index 0
        the model sends the text "b"
        the model sends the text "c"
        the model sends the text "d"
        """
      Then the stream sends:
        """
        message {"type": "text", "text": "a", "index": 3}
        message {"type": "reasoning", "reasoning": "hm", "index": 3}
        message {"type": "text", "text": "b", "index": 3}
        message {"type": "text", "text": "c", "index": 3}
        message {"type": "text", "text": "d", "index": 3}
        """
