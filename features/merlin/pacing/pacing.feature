Feature: Pacing

  @merlin.pacing.empty @should @v1
  Rule: Two characters while nothing waits

    Scenario: A model that waits
      When a client requests a V1 stream of:
        """
        the model sends the text "abcdefghijkl"
        the script waits for "b"
        """
      Then the slices have 5, 2, 2, 2, 1 or 2, 2, 2, 2, 2, 2 characters

  @merlin.pacing.some @should @v1
  Rule: Three and four characters in between

    Scenario: A model that is a little ahead
      When a client requests a V1 stream of:
        """
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        """
      Then the slices have 5, 4, 1, 4, 4, 2, 4, 4, 2, 4, 3, 3 or 4, 4, 2, 4, 4, 2, 4, 4, 2, 4, 3, 3 or 5, 4, 4, 4, 4, 4, 4, 4, 3, 3, 3, 3 characters

  @merlin.pacing.full @should @v1
  Rule: Five characters while many wait

    Scenario: A model that is far ahead
      When a client requests a V1 stream of:
        """
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        the model sends the text "abcdefghij"
        """
      Then the slices have 5, 5, 5, 5, 5, 4, 1 or 5, 5, 5, 5, 5, 4, 4 characters

  @merlin.pacing.first @may @v1
  Rule: The first slice may have any size

    Scenario: A first slice
      When a client requests a V1 stream of:
        """
        the model sends the text "abcdefgh"
        """
      Then the text of the stream is "abcdefgh"
