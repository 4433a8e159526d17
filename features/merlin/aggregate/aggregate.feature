Feature: Aggregate

  @merlin.aggregate.members @must @aggregate
  Rule: The aggregate has its members

    @v1
    Scenario: The aggregate of a text in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "So."
        """
      Then the aggregate of the stream has the text "So."
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The aggregate of a text in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "So."
        """
      Then the aggregate of the stream has the text "So."
      And no exchange of this scenario breaks this rule

    @v1
    Scenario: The aggregate of nothing in version 1
      When a client requests a V1 stream of:
        """
        """
      Then the aggregate of the stream has the text ""
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The aggregate of nothing in version 2
      When a client requests a V2 stream of:
        """
        """
      Then the aggregate of the stream has the text ""
      And no exchange of this scenario breaks this rule

  @merlin.aggregate.text @must @aggregate
  Rule: The aggregate is the text

    @v1
    Scenario: The text of an aggregate in version 1
      When a client requests a V1 stream of:
        """
        the model sends the text "It is "
        the model sends the text ""
        the model sends the text "far. 😀"
        """
      Then the aggregate of the stream has the text "It is far. 😀"

    @v2
    Scenario: The text of an aggregate in version 2
      When a client requests a V2 stream of:
        """
        the model sends the text "It is "
        the model sends the text ""
        the model sends the text "far. 😀"
        """
      Then the aggregate of the stream has the text "It is far. 😀"

  @merlin.aggregate.reasoning @must @aggregate
  Rule: Thoughts have text and index

    @v1
    Scenario: A thought in the aggregate in version 1
      When a client requests a V1 stream of:
        """
        the model sends the reasoning "hm" of index 1, of the id "r1", signed "x1"
        the model sends the text "So."
        the model uses 9 total_tokens
        """
      Then the reasoningContent of the aggregate are [{"text": "hm", "index": 1}]
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: A thought in the aggregate in version 2
      When a client requests a V2 stream of:
        """
        the model sends the reasoning "hm" of index 1, of the id "r1", signed "x1"
        the model sends the text "So."
        the model uses 9 total_tokens
        """
      Then the reasoningContent of the aggregate are [{"text": "hm", "index": 1}]
      And no exchange of this scenario breaks this rule

  @merlin.aggregate.signature @should @aggregate
  Rule: Thoughts keep their id and their signature

    @v1
    Scenario: A signed thought in the aggregate in version 1
      When a client requests a V1 stream of:
        """
        the model sends the reasoning "hm" of index 1, of the id "r1", signed "x1"
        the model sends the text "So."
        the model uses 9 total_tokens
        """
      Then the reasoningContent of the aggregate are [{"text": "hm", "index": 1, "id": "r1", "signature": "x1"}]

    @v2
    Scenario: A signed thought in the aggregate in version 2
      When a client requests a V2 stream of:
        """
        the model sends the reasoning "hm" of index 1, of the id "r1", signed "x1"
        the model sends the text "So."
        the model uses 9 total_tokens
        """
      Then the reasoningContent of the aggregate are [{"text": "hm", "index": 1, "id": "r1", "signature": "x1"}]

  @merlin.aggregate.collected @must @aggregate
  Rule: Thoughts are collected

    @v1
    Scenario: Thoughts in the aggregate in version 1
      When a client requests a V1 stream of:
        """
        the model sends the reasoning "one" of index 0
        the model sends the text "a"
        the model sends the reasoning "two" of index 0
        """
      Then the reasoningContent of the aggregate are [{"text": "one", "index": 0}, {"text": "two", "index": 0}]

    @v2
    Scenario: Thoughts in the aggregate in version 2
      When a client requests a V2 stream of:
        """
        the model sends the reasoning "one" of index 0
        the model sends the text "a"
        the model sends the reasoning "two" of index 0
        """
      Then the reasoningContent of the aggregate are [{"text": "one", "index": 0}, {"text": "two", "index": 0}]

  @merlin.aggregate.citations @must @v1 @citations @aggregate
  Rule: Citations are collected

    Scenario: Citations in the aggregate
      When a client requests a V1 stream of:
        """
        the message has the attachment "A" of the type web at "https://a.example/"
        the model sends the text "a" of index 0
        the model cites "x" of document 0 at index 0
        the model sends the text "b" of index 1
        the model cites "y" of document 0 at index 1
        """
      Then the citations of the aggregate are [{"document_index": 0, "cited_text": "x"}, {"document_index": 0, "cited_text": "y"}]

  @merlin.aggregate.usage @must @aggregate
  Rule: Usage is merged

    @v1
    Scenario: Usage in two parts in version 1
      When a client requests a V1 stream of:
        """
        the model uses 3 prompt_tokens, 0 completion_tokens
        the model sends the text "a"
        the model uses 4 completion_tokens, 7 total_tokens
        """
      Then the usage of the aggregate is {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}

    @v2
    Scenario: Usage in two parts in version 2
      When a client requests a V2 stream of:
        """
        the model uses 3 prompt_tokens, 0 completion_tokens
        the model sends the text "a"
        the model uses 4 completion_tokens, 7 total_tokens
        """
      Then the usage of the aggregate is {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
