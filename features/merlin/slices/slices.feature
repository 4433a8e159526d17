Feature: Slices

  @merlin.slices.init @must @v1
  Rule: A stream opens with INIT_MESSAGE_CONTENT

    Scenario: The first event of a stream
      When a client requests a V1 stream of:
        """
        the model sends the text "Hi"
        """
      Then the stream sends INIT_MESSAGE_CONTENT, message, end
      And no exchange of this scenario breaks this rule

    Scenario: The first event of a stream that says nothing
      When a client requests a V1 stream of:
        """
        """
      Then the stream sends INIT_MESSAGE_CONTENT, end
      And no exchange of this scenario breaks this rule

  @merlin.slices.content @must @v1
  Rule: Text is content

    Scenario: The content of slices
      When a client requests a V1 stream of:
        """
        the model sends the text "so it is"
        """
      Then the text of the stream is "so it is"
      And no exchange of this scenario breaks this rule

  @merlin.slices.length @must-not @v1
  Rule: A slice has five characters at most

    Scenario: A text in slices
      When a client requests a V1 stream of:
        """
        the model sends the text "abcdefghijkl"
        """
      Then the text of the stream is "abcdefghijkl"
      And no exchange of this scenario breaks this rule

    Scenario: Many texts in slices
      When a client requests a V1 stream of:
        """
        the model sends the text "abcdefgh"
        the model sends the text "abcdefgh"
        the model sends the text "abcdefgh"
        the model sends the text "abcdefgh"
        the model sends the text "abcdefgh"
        the model sends the text "abcdefgh"
        the model sends the text "abcdefgh"
        the model sends the text "abcdefgh"
        the model sends the text "abcdefgh"
        the model sends the text "abcdefgh"
        the model sends the text "abcdefgh"
        the model sends the text "abcdefgh"
        the model sends the text "abcdefgh"
        the model sends the text "abcdefgh"
        """
      Then the text of the stream is "abcdefghabcdefghabcdefghabcdefghabcdefghabcdefghabcdefghabcdefghabcdefghabcdefghabcdefghabcdefghabcdefghabcdefgh"
      And no exchange of this scenario breaks this rule

  @merlin.slices.complete @must @v1
  Rule: Slices add up to the text

    Scenario: Two texts of the model
      When a client requests a V1 stream of:
        """
        the model sends the text "It is far to Bergen"
        the model sends the text ", even by train."
        """
      Then the text of the stream is "It is far to Bergen, even by train."

    Scenario: White space and empty texts of the model
      When a client requests a V1 stream of:
        """
        the model sends the text " "
        the model sends the text ""
        the model sends the text "\n\t a  "
        the model sends the text " "
        """
      Then the text of the stream is " \n\t a   "

  @merlin.slices.no-index @must @v1
  Rule: Slices have no index

    Scenario: Slices without an index
      When a client requests a V1 stream of:
        """
        the global index is 3
        the model sends the text "one two"
        """
      Then the text of the stream is "one two"
      And no exchange of this scenario breaks this rule

  @merlin.slices.no-reasoning @must-not @v1
  Rule: Reasoning is kept

    Scenario: A thought and a text
      When a client requests a V1 stream of:
        """
        the model sends the reasoning "PONDER" of index 0
        the model sends the text "So."
        the model sends the reasoning "MUSE" of index 0
        """
      Then the text of the stream is "So."
      And the stream holds nothing of "PONDER"
      And the stream holds nothing of "MUSE"

  @merlin.slices.whole-characters @should-not @v1
  Rule: No slice cuts a character

    Scenario: A text of emoji
      When a client requests a V1 stream of:
        """
        the model sends the text "ab😀cd😀😀😀😀ef😀"
        """
      Then the text of the stream is "ab😀cd😀😀😀😀ef😀"
      And no exchange of this scenario breaks this rule
